import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Completions } from '#commands';
import { Fault } from '#fault';
import { CommandLog, type NewRecord, type Position } from '#log';
import { DeadLetterStore, letterName, retryHeader } from '#projections';
import { requireWaiting } from '../require-waiting';
import { type Retried, RetryDeadLetters, type LetterSelection } from './retry-dead-letters';

interface Retry {
  readonly letter: Position;
  readonly record: Position;
}

/** Limits of payload bytes and letters that are appended together. */
const appendedBytes = 16 << 20;
const appendedLetters = 200;

/**
 * Appends each letter's command again, with its id and time of receipt and the letter's name in the header `retry-of`,
 * in the order of rejection. The projector stores the outcome in the letter, in the transaction that applies the record.
 * So a process that dies after the append loses nothing. One retry runs at a time in a process; two processes may retry
 * a letter twice, which does no harm. Faults: `admin.retrying` (conflict), `admin.no-letter` (missing), and those of the
 * log.
 */
@CommandHandler(RetryDeadLetters)
export class RetryDeadLettersHandler implements ICommandHandler<RetryDeadLetters> {
  private running = false;

  constructor(
    private readonly letterStore: DeadLetterStore,
    private readonly log: CommandLog,
    private readonly completions: Completions,
  ) {}

  async execute({ wanted, waitMs, signal }: RetryDeadLetters): Promise<Retried> {
    if (this.running) {
      throw new Fault('conflict', 'admin.retrying', 'Dead letters are already being retried; nothing was started.');
    }
    this.running = true;
    try {
      const retries: Retry[] = [];
      for (const portion of portions(await this.letters(wanted))) {
        if (signal?.aborted) break;
        // Looks the letters up together, and appends them in their order.
        const commands = await Promise.all(portion.map((letter) => this.letterStore.command(letter)));
        const given = await Promise.all(portion.map((letter, place) => this.append(letter, commands[place])));
        retries.push(...given.filter((retry) => retry !== undefined));
      }
      await this.processed(retries, waitMs, signal);
      return await this.outcomes(retries);
    } finally {
      this.running = false;
    }
  }

  private async letters(wanted: LetterSelection): Promise<readonly (Position & { readonly payloadBytes: number })[]> {
    return 'letter' in wanted
      ? [requireWaiting(wanted.letter, await this.letterStore.find(wanted.letter))]
      : this.letterStore.waiting(wanted.matching);
  }

  /** Returns undefined for a letter that no longer waits. */
  private async append({ partition, offset }: Position, command: NewRecord | undefined): Promise<Retry | undefined> {
    const letter = { partition, offset };
    if (command === undefined) return undefined;
    const headers = { ...command.headers, [retryHeader]: letterName(letter) };
    const record = await this.log.append({ ...command, headers });
    await this.letterStore.markRetried(letter);
    return { letter, record };
  }

  private async processed(retries: readonly Retry[], waitMs: number, signal?: AbortSignal): Promise<void> {
    const last = new Map<number, Position>();
    for (const { record } of retries) {
      if (record.offset > (last.get(record.partition)?.offset ?? -1)) last.set(record.partition, record);
    }
    await this.completions.waitForAll([...last.values()], waitMs, { signal });
  }

  private async outcomes(retries: readonly Retry[]): Promise<Retried> {
    const counts = { retried: retries.length, applied: 0, rejected: 0, pending: 0 };
    for (const { letter, record } of retries) {
      const found = await this.letterStore.find(letter);
      if (found === undefined || found.lastOffset < record.offset) counts.pending++;
      else if (found.state === 'waiting') counts.rejected++;
      else counts.applied++;
    }
    return counts;
  }
}

function* portions<T extends { readonly payloadBytes: number }>(letters: readonly T[]): Generator<T[]> {
  let portion: T[] = [];
  let bytes = 0;
  for (const letter of letters) {
    if (portion.length > 0 && (portion.length >= appendedLetters || bytes + letter.payloadBytes > appendedBytes)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(letter);
    bytes += letter.payloadBytes;
  }
  if (portion.length > 0) yield portion;
}

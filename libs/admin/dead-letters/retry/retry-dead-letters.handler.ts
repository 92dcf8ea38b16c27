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

const appendedBytes = 16 << 20;
const appendedLetters = 200;

/**
 * Appends the commands of dead letters to the log again, in the order of their rejection. Each record has the id and
 * the time of receipt of the original command, and the name of the dead letter in the header `retry-of`. The projector
 * applies the record and stores the outcome in the dead letter, in one transaction, so a process that dies after the
 * append loses nothing.
 *
 * A process runs one retry at a time. If two processes retry the same dead letter, its command is applied twice, which
 * is harmless. Throws `admin.retrying`, `admin.no-letter`, and faults of the log.
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
        // Reads the commands concurrently, but appends them in the order of their rejection.
        const commands = await Promise.all(portion.map((letter) => this.letterStore.command(letter)));
        const given = await Promise.all(portion.map((letter, index) => this.append(letter, commands[index])));
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

  /** Returns undefined if the dead letter is no longer waiting. */
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

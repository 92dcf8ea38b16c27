/**
 * Group commit: one batch is stored at a time, what arrives meanwhile forms the next. Takes appends; refuses beyond a
 * bound of waiting bytes; settles each append by its own batch's fate.
 */
import { databaseErrorCode, isRetriable } from '#database';
import { Fault, isFault } from '#fault';
import type { Position } from '../record';
import type { Append } from './statements';

export interface AppendQueueOptions {
  /** Stores a batch durably and gives each append's position, in order; undefined for one that its log did not take. */
  readonly store: (batch: readonly Append[]) => Promise<(Position | undefined)[]>;
  /** Most payload bytes of one batch; default 16 MB. */
  readonly batchBytes?: number;
  /** Most payload bytes that may wait; default 64 MB. */
  readonly waitingBytes?: number;
}

interface Waiting extends Append {
  resolve(position: Position): void;
  reject(error: unknown): void;
}

const batchRecords = 1000;

export class AppendQueue {
  private readonly waiting: Waiting[] = [];
  private readonly batchBytes: number;
  private readonly maxWaitingBytes: number;
  private bytes = 0;
  private flushing: Promise<void> | undefined;

  constructor(private readonly options: AppendQueueOptions) {
    this.batchBytes = options.batchBytes ?? 16 << 20;
    this.maxWaitingBytes = options.waitingBytes ?? 64 << 20;
  }

  add(append: Append): Promise<Position> {
    const { length } = append.record.payload;
    if (this.bytes > 0 && this.bytes + length > this.maxWaitingBytes) {
      return Promise.reject(
        new Fault('busy', 'log.full', 'more commands wait for the log than it may hold back', {
          hint: 'Send it again a little later.',
        }),
      );
    }
    this.bytes += length;
    return new Promise<Position>((resolve, reject) => {
      this.waiting.push({ ...append, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.flushing !== undefined) await this.flushing;
  }

  private async flush(): Promise<void> {
    // What the same turn of the event loop still brings goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      await this.settle(batch);
      for (const { record } of batch) this.bytes -= record.payload.length;
    }
    // In the same turn as the last look, or an append in between would wait for ever.
    this.flushing = undefined;
  }

  private nextBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.waiting) {
      bytes += record.payload.length;
      if (count > 0 && (bytes > this.batchBytes || count >= batchRecords)) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async settle(batch: readonly Waiting[]): Promise<void> {
    let positions: (Position | undefined)[];
    try {
      positions = await this.storeTwice(batch);
    } catch (error) {
      // A record that PostgreSQL refuses must not take its batch along.
      if (batch.length > 1 && nothingStored(error) && !isRetriable(error)) {
        const middle = batch.length >> 1;
        await this.settle(batch.slice(0, middle));
        return this.settle(batch.slice(middle));
      }
      const fault = appendFault(error);
      for (const append of batch) append.reject(fault);
      return;
    }
    batch.forEach((append, index) => {
      const position = positions[index];
      if (position !== undefined) append.resolve(position);
      else append.reject(new Fault('broken', 'log.foreign', 'the log in the database is another one than was opened'));
    });
  }

  private async storeTwice(batch: readonly Append[]): Promise<(Position | undefined)[]> {
    try {
      return await this.options.store(batch);
    } catch (error) {
      if (!isRetriable(error) || !nothingStored(error)) throw error;
      return this.options.store(batch);
    }
  }
}

/** Certain only where PostgreSQL itself reported the statement's failure, or was never reached. */
function nothingStored(error: unknown): boolean {
  if (isFault(error))
    return (
      error.code === 'database.unreachable' ||
      error.code === 'database.crowded' ||
      error.code === 'database.refused' ||
      nothingStored(error.cause)
    );
  return databaseErrorCode(error)?.length === 5 && (error as { severity?: unknown }).severity === 'ERROR';
}

function appendFault(error: unknown): Fault {
  const said = error instanceof Error ? error.message : String(error);
  const cause = { cause: error };
  if (isRetriable(error)) {
    return new Fault('busy', 'log.unavailable', `the log cannot take commands just now: ${said}`, cause);
  }
  if (databaseErrorCode(error)?.startsWith('22') === true) {
    return new Fault('malformed', 'log.unstorable', `the command cannot be stored: ${said}`, cause);
  }
  return new Fault('broken', 'log.append', `the command could not be appended: ${said}`, cause);
}

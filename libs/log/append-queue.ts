/**
 * Group commit: one batch is stored at a time, what arrives meanwhile forms the next. Takes appends; refuses beyond a
 * bound of waiting bytes; settles each append by its own batch's fate, or gives it up where that takes too long.
 */
import { Fault } from '#fault';
import type { NewRecord, Position } from './record';

export interface Append {
  readonly partition: number;
  readonly record: NewRecord;
}

/** What a failed store means: only the body knows. */
export interface StoreFailures {
  /** Nothing of the batch was stored, and a second attempt may do better. */
  isWorthRetry(error: unknown): boolean;
  /** One record of the batch may be to blame: the batch is halved to find it. */
  mayBeOneRecord(error: unknown): boolean;
  /** What the caller of an append is told. */
  fault(error: unknown): Fault;
}

export interface AppendQueueOptions<A extends Append = Append> {
  /**
   * Stores a batch durably and gives each append's position, in order; undefined for one that its log did not take.
   * `isWanted` turns false when nobody waits for the batch any more: then there is no point in trying again.
   */
  readonly store: (batch: readonly A[], isWanted: () => boolean) => Promise<(Position | undefined)[]>;
  readonly failures: StoreFailures;
  /** Most payload bytes of one batch; default 16 MB. */
  readonly batchBytes?: number | undefined;
  /** Most payload bytes that may wait; default 64 MB. */
  readonly waitingBytes?: number | undefined;
  /** An append that is not durable by then is rejected, whatever becomes of it; default: never. */
  readonly patienceMs?: number | undefined;
}

interface Waiting<A> {
  readonly append: A;
  readonly bytes: number;
  readonly deadline: number;
  /** Its caller has been answered. */
  settled: boolean;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

const batchRecords = 1000;
/** A record of a few bytes still takes a thousand with all that waits for it. */
const waitingRecords = 50_000;
const sweepMs = 250;

export class AppendQueue<A extends Append = Append> {
  private waiting: Waiting<A>[] = [];
  private stored: readonly Waiting<A>[] = [];
  private readonly batchBytes: number;
  private readonly maxWaitingBytes: number;
  private readonly patienceMs: number;
  private bytes = 0;
  private flushing: Promise<void> | undefined;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: AppendQueueOptions<A>) {
    this.batchBytes = options.batchBytes ?? 16 << 20;
    this.maxWaitingBytes = options.waitingBytes ?? 64 << 20;
    this.patienceMs = options.patienceMs ?? Infinity;
  }

  add(append: A): Promise<Position> {
    const bytes = append.record.payload.length;
    const isFull = this.bytes > 0 && this.bytes + bytes > this.maxWaitingBytes;
    if (isFull || this.waiting.length >= waitingRecords) {
      return Promise.reject(
        new Fault('busy', 'log.full', 'more commands wait for the log than it may hold back', {
          hint: 'Send it again a little later.',
        }),
      );
    }
    this.bytes += bytes;
    return new Promise<Position>((resolve, reject) => {
      const deadline = performance.now() + this.patienceMs;
      this.waiting.push({ append, bytes, deadline, settled: false, resolve, reject });
      this.flushing ??= this.flush();
      if (this.patienceMs < Infinity) this.sweeping ??= setInterval(() => this.sweep(), sweepMs).unref();
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
      this.stored = batch;
      await this.settle(batch);
      this.stored = [];
      for (const { bytes } of batch) this.bytes -= bytes;
    }
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    // In the same turn as the last look, or an append in between would wait for ever.
    this.flushing = undefined;
  }

  private nextBatch(): Waiting<A>[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.waiting) {
      bytes += one.bytes;
      if (count > 0 && (bytes > this.batchBytes || count >= batchRecords)) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async settle(batch: readonly Waiting<A>[]): Promise<void> {
    const { failures } = this.options;
    let positions: (Position | undefined)[];
    try {
      positions = await this.storeTwice(batch);
    } catch (error) {
      // A record that the log refuses must not take its batch along.
      if (batch.length > 1 && failures.mayBeOneRecord(error)) {
        const middle = batch.length >> 1;
        await this.settle(batch.slice(0, middle));
        return this.settle(batch.slice(middle));
      }
      const fault = failures.fault(error);
      for (const one of batch) reject(one, fault);
      return;
    }
    batch.forEach((one, index) => {
      const position = positions[index];
      if (position === undefined) {
        reject(one, new Fault('broken', 'log.foreign', 'the log is another one than was opened'));
      } else if (!one.settled) {
        one.settled = true;
        one.resolve(position);
      }
    });
  }

  private async storeTwice(batch: readonly Waiting<A>[]): Promise<(Position | undefined)[]> {
    const appends = batch.map(({ append }) => append);
    const isWanted = (): boolean => batch.some(({ settled }) => !settled);
    try {
      return await this.options.store(appends, isWanted);
    } catch (error) {
      if (!this.options.failures.isWorthRetry(error)) throw error;
      return this.options.store(appends, isWanted);
    }
  }

  /** The bytes of a batch that is being stored stay counted: they are still held. */
  private sweep(): void {
    const now = performance.now();
    const isOver = ({ deadline, settled }: Waiting<A>): boolean => !settled && deadline <= now;
    const over = [...this.stored, ...this.waiting].filter(isOver);
    if (over.length === 0) return;
    this.waiting = this.waiting.filter((one) => {
      if (!isOver(one)) return true;
      this.bytes -= one.bytes;
      return false;
    });
    const fault = this.options.failures.fault(
      new Fault('busy', 'log.unavailable', `no acknowledgement came within ${this.patienceMs / 1000} s`),
    );
    for (const one of over) reject(one, fault);
  }
}

function reject(one: Waiting<Append>, fault: Fault): void {
  if (one.settled) return;
  one.settled = true;
  one.reject(fault);
}

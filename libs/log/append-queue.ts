/**
 * Group commit: one batch is stored at a time, what arrives meanwhile forms the next. Takes appends; refuses beyond a
 * bound of what waits; settles each append by its own batch's fate, or gives it up where that takes too long.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import type { NewRecord, Position } from './record';
import { WaitingRoom, type WaitingShare } from './waiting-room';

export interface Append {
  readonly partition: number;
  readonly record: NewRecord;
  /** Bytes that it takes in a batch; default: its payload's. */
  readonly size?: number;
}

/** What a failed store means: only the body knows. */
export interface StoreFailures {
  /** Another attempt may do better; what nobody waits for any more is left out of it. */
  isWorthRetry(error: unknown): boolean;
  /** One record of the batch may be to blame, and nothing of it was stored: the batch is halved to find it. */
  mayBeOneRecord(error: unknown): boolean;
  /** What the caller of an append is told. */
  fault(error: unknown): Fault;
}

export interface AppendQueueOptions<A extends Append = Append> {
  /** Stores a batch durably and gives each append's position, in order; undefined for one that its log did not take. */
  readonly store: (batch: readonly A[]) => Promise<(Position | undefined)[]>;
  readonly failures: StoreFailures;
  /** What the queue is of, for messages; default `the log`. */
  readonly name?: string;
  /** Most bytes of one batch; default 16 MB. A single larger append is stored by itself. */
  readonly batchBytes?: number | undefined;
  /** Default: a room of its own. */
  readonly room?: WaitingRoom | undefined;
  /** An append that is not durable by then is rejected, whatever becomes of it; default: never. */
  readonly patienceMs?: number | undefined;
  /** Attempts at a batch; default 2, without a pause. */
  readonly attempts?: number;
  /** How long to wait after this number of failures; default 0. */
  readonly pauseAfter?: (failures: number) => number;
  /** Told of each failed attempt that is worth another, and of each success. */
  readonly onAttempt?: (failure: unknown) => void;
  /** Called when nothing waits any more. */
  readonly onIdle?: () => void;
}

interface Waiting<A> {
  readonly append: A;
  /** Of its payload: what it holds while it waits. */
  readonly bytes: number;
  readonly size: number;
  readonly deadline: number;
  /** Its caller has been told that it failed. */
  settled: boolean;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

const defaultBatchBytes = 16 << 20;
const batchRecords = 1000;
const defaultAttempts = 2;
const sweepMs = 250;

export class AppendQueue<A extends Append = Append> {
  private waiting: Waiting<A>[] = [];
  private stored: readonly Waiting<A>[] = [];
  private readonly name: string;
  private readonly batchBytes: number;
  private readonly share: WaitingShare;
  private readonly patienceMs: number;
  private readonly attempts: number;
  /** Why the current batch is not stored yet. */
  private failure: unknown;
  private flushing: Promise<void> | undefined;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: AppendQueueOptions<A>) {
    this.name = options.name ?? 'the log';
    this.batchBytes = options.batchBytes ?? defaultBatchBytes;
    this.share = (options.room ?? new WaitingRoom()).share();
    this.patienceMs = options.patienceMs ?? Infinity;
    this.attempts = options.attempts ?? defaultAttempts;
  }

  add(append: A): Promise<Position> {
    const bytes = append.record.payload.length;
    if (!this.share.take(bytes)) {
      return Promise.reject(
        new Fault('busy', 'log.full', `too many commands wait for ${this.name}`, {
          hint: 'Send it again a little later.',
        }),
      );
    }
    return new Promise<Position>((resolve, reject) => {
      const deadline = performance.now() + this.patienceMs;
      this.waiting.push({ append, bytes, size: append.size ?? bytes, deadline, settled: false, resolve, reject });
      this.flushing ??= this.flush();
      if (this.patienceMs < Infinity) this.sweeping ??= setInterval(() => this.sweep(), sweepMs).unref();
    });
  }

  get isIdle(): boolean {
    return this.flushing === undefined;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.flushing !== undefined) await this.flushing;
  }

  private async flush(): Promise<void> {
    // What the same turn of the event loop still brings goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      this.stored = this.nextBatch();
      await this.settle(this.stored);
      this.stored = [];
    }
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    // In the same turn as the last look, or an append in between would wait for ever.
    this.flushing = undefined;
    this.options.onIdle?.();
  }

  private nextBatch(): Waiting<A>[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.waiting) {
      bytes += one.size;
      if (count > 0 && (bytes > this.batchBytes || count >= batchRecords)) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async settle(given: readonly Waiting<A>[]): Promise<void> {
    let batch = given;
    for (let failures = 0; batch.length > 0;) {
      try {
        const positions = await this.options.store(batch.map(({ append }) => append));
        this.options.onAttempt?.(undefined);
        batch.forEach((one, index) => resolve(one, positions[index]));
        break;
      } catch (error) {
        failures += 1;
        const { failures: kinds } = this.options;
        if (kinds.isWorthRetry(error) && failures < this.attempts) {
          this.failure = error;
          this.options.onAttempt?.(error);
          await delay(this.options.pauseAfter?.(failures) ?? 0);
          batch = this.dropSettled(batch);
        } else if (batch.length > 1 && kinds.mayBeOneRecord(error)) {
          // A record that the log refuses must not take its batch along.
          const middle = batch.length >> 1;
          await this.settle(batch.slice(0, middle));
          return this.settle(batch.slice(middle));
        } else {
          const fault = kinds.fault(error);
          for (const one of batch) reject(one, fault);
          break;
        }
      }
    }
    this.failure = undefined;
    for (const { bytes } of batch) this.share.giveBack(bytes);
  }

  /** Those that somebody still waits for; the others are held no longer. */
  private dropSettled(batch: readonly Waiting<A>[]): Waiting<A>[] {
    const wanted: Waiting<A>[] = [];
    for (const one of batch) {
      if (one.settled) this.share.giveBack(one.bytes);
      else wanted.push(one);
    }
    return wanted;
  }

  /** The bytes of a batch that is being stored stay counted: they are still held. */
  private sweep(): void {
    const now = performance.now();
    const isOver = ({ deadline, settled }: Waiting<A>): boolean => !settled && deadline <= now;
    const over = [...this.stored, ...this.waiting].filter(isOver);
    if (over.length === 0) return;
    this.waiting = this.waiting.filter((one) => {
      if (!isOver(one)) return true;
      this.share.giveBack(one.bytes);
      return false;
    });
    const fault = this.overdue();
    for (const one of over) reject(one, fault);
  }

  private overdue(): Fault {
    const seconds = this.patienceMs / 1000;
    if (this.failure === undefined) {
      return new Fault('busy', 'log.unavailable', `${this.name} has not acknowledged the command within ${seconds} s`);
    }
    const { message, hint } = this.options.failures.fault(this.failure);
    return new Fault('busy', 'log.unavailable', `not acknowledged within ${seconds} s: ${message}`, {
      ...(hint !== undefined && { hint }),
      cause: this.failure,
    });
  }
}

function resolve(one: Waiting<Append>, position: Position | undefined): void {
  if (position === undefined) {
    reject(one, new Fault('broken', 'log.foreign', 'the log is not the one that was opened'));
  } else {
    one.resolve(position);
  }
}

function reject(one: Waiting<Append>, fault: Fault): void {
  one.settled = true;
  one.reject(fault);
}

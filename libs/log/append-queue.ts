/**
 * Group commit: the appends that arrive while a batch is being stored form the next batch. Appends to the same
 * partition keep their order. A second writer stores large appends, so that they do not delay other partitions.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import type { NewRecord, Position } from './record';
import { QueueBudget, type QueueShare } from './queue-budget';

export interface Append {
  readonly partition: number;
  readonly record: NewRecord;
  /** Number of bytes that this append adds to its batch. Default: the size of the payload. */
  readonly size?: number;
}

export interface StoreFailures {
  isWorthRetry(error: unknown): boolean;
  /**
   * Returns true if nothing was stored and a single record may be the cause. In this case, the queue halves the batch
   * to find the record.
   */
  mayBeOneRecord(error: unknown): boolean;
  fault(error: unknown): Fault;
}

export interface AppendQueueOptions<A extends Append = Append> {
  /**
   * Returns undefined if the append needs no preparation. Otherwise the append, and later appends to its partition,
   * wait until the promise resolves.
   */
  readonly prepare?: (append: A) => Promise<void> | undefined;
  /** Stores a batch durably. Returns the position of each append, or undefined if the log did not accept it. */
  readonly store: (batch: readonly A[]) => Promise<(Position | undefined)[]>;
  readonly failures: StoreFailures;
  readonly name?: string;
  /** Default: 16 MB. A larger append is stored alone. */
  readonly batchBytes?: number | undefined;
  /** Appends of at least this size use the second writer. Default: 4 MB. */
  readonly largeBytes?: number | undefined;
  readonly budget?: QueueBudget | undefined;
  /** An append that is not durable after this time is rejected, but can become durable later. */
  readonly patienceMs?: number | undefined;
  readonly attempts?: number;
  readonly pauseAfter?: (failures: number) => number;
  /** Called with the error before a failed attempt is retried, and with undefined after each successful attempt. */
  readonly onAttempt?: (failure: unknown) => void;
  readonly onIdle?: () => void;
}

interface Waiting<A> {
  readonly append: A;
  readonly bytes: number;
  readonly size: number;
  readonly deadline: number;
  isUnready: boolean;
  settled: boolean;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

interface Writer<A> {
  readonly isLarge: boolean;
  stored: readonly Waiting<A>[];
  failure: unknown;
}

const defaultBatchBytes = 16 << 20;
const defaultLargeBytes = 4 << 20;
const batchRecords = 1000;
const defaultAttempts = 2;
const sweepMs = 250;

export class AppendQueue<A extends Append = Append> {
  private waiting: Waiting<A>[] = [];
  private readonly ordinary: Writer<A> = { isLarge: false, stored: [], failure: undefined };
  private readonly large: Writer<A> = { isLarge: true, stored: [], failure: undefined };
  private readonly writers = [this.ordinary, this.large];
  /** For each partition, the number of large appends that are not stored yet. */
  private readonly larges = new Map<number, number>();
  private readonly name: string;
  private readonly batchBytes: number;
  private readonly largeBytes: number;
  private readonly share: QueueShare;
  private readonly patienceMs: number;
  private readonly attempts: number;
  private flushing: Promise<void> | undefined;
  private flushed: () => void = () => undefined;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: AppendQueueOptions<A>) {
    this.name = options.name ?? 'the log';
    this.batchBytes = options.batchBytes ?? defaultBatchBytes;
    this.largeBytes = options.largeBytes ?? defaultLargeBytes;
    this.share = (options.budget ?? new QueueBudget()).share();
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
      const preparing = this.options.prepare?.(append);
      const isUnready = preparing !== undefined;
      const one = { append, bytes, size: append.size ?? bytes, deadline, isUnready, settled: false, resolve, reject };
      this.waiting.push(one);
      if (this.isLarge(one)) this.countLarge(append.partition, 1);
      this.flushing ??= new Promise((flushed) => (this.flushed = flushed));
      if (this.patienceMs < Infinity) this.sweeping ??= setInterval(() => this.sweep(), sweepMs).unref();
      if (preparing !== undefined) {
        void this.makeReady(one, preparing);
        return;
      }
      const writer = this.isLarge(one) ? this.large : this.ordinary;
      if (writer.stored.length > 0 || (!writer.isLarge && this.larges.has(append.partition))) return;
      // Starts the writer in the next microtask, so that appends from the same turn of the event loop share a batch.
      queueMicrotask(() => this.start(writer));
    });
  }

  get isIdle(): boolean {
    return this.flushing === undefined;
  }

  async drain(): Promise<void> {
    while (this.flushing !== undefined) await this.flushing;
  }

  private isLarge({ size }: Waiting<A>): boolean {
    return size >= this.largeBytes;
  }

  private countLarge(partition: number, more: 1 | -1): void {
    const count = (this.larges.get(partition) ?? 0) + more;
    if (count === 0) this.larges.delete(partition);
    else this.larges.set(partition, count);
  }

  private async makeReady(one: Waiting<A>, preparing: Promise<void>): Promise<void> {
    const failed = await preparing.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    one.isUnready = false;
    if (one.settled) {
      // The append timed out during its preparation, but its bytes stayed in memory until the preparation ended.
      this.share.giveBack(one.bytes);
    } else if (failed !== undefined) {
      this.dropWaiting((other) => other === one);
      reject(one, this.options.failures.fault(failed.error));
    }
    this.goOn();
  }

  private goOn(): void {
    for (const writer of this.writers) this.start(writer);
    if (this.waiting.length === 0 && this.writers.every(({ stored }) => stored.length === 0)) this.end();
  }

  private start(writer: Writer<A>): void {
    if (writer.stored.length > 0 || (writer.isLarge && this.larges.size === 0)) return;
    writer.stored = this.nextBatch(writer);
    if (writer.stored.length === 0) return;
    void this.settle(writer, writer.stored).then(() => {
      for (const one of writer.stored) if (writer.isLarge) this.countLarge(one.append.partition, -1);
      writer.stored = [];
      this.goOn();
    });
  }

  private end(): void {
    if (this.flushing === undefined) return;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    this.flushing = undefined;
    this.flushed();
    this.options.onIdle?.();
  }

  private nextBatch(writer: Writer<A>): Waiting<A>[] {
    // Partitions in which an earlier append is not stored yet and is not in this batch. Their later appends must wait.
    const held = new Set(this.writers.flatMap(({ stored }) => stored.map(({ append }) => append.partition)));
    const most = writer.isLarge ? 1 : batchRecords;
    const batch: Waiting<A>[] = [];
    const left: Waiting<A>[] = [];
    let bytes = 0;
    for (const [index, one] of this.waiting.entries()) {
      const { partition } = one.append;
      if (held.has(partition) || one.isUnready || this.isLarge(one) !== writer.isLarge) {
        held.add(partition);
        left.push(one);
        continue;
      }
      bytes += one.size;
      if (batch.length > 0 && (bytes > this.batchBytes || batch.length >= most)) {
        left.push(...this.waiting.slice(index));
        break;
      }
      batch.push(one);
    }
    this.waiting = left;
    return batch;
  }

  private async settle(writer: Writer<A>, given: readonly Waiting<A>[]): Promise<void> {
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
          writer.failure = error;
          this.options.onAttempt?.(error);
          await delay(this.options.pauseAfter?.(failures) ?? 0);
          batch = this.dropSettled(batch);
        } else if (batch.length > 1 && kinds.mayBeOneRecord(error)) {
          // Halves the batch, so that one refused record does not cause the rejection of the other records.
          const middle = batch.length >> 1;
          await this.settle(writer, batch.slice(0, middle));
          return this.settle(writer, batch.slice(middle));
        } else {
          const fault = kinds.fault(error);
          for (const one of batch) reject(one, fault);
          break;
        }
      }
    }
    writer.failure = undefined;
    for (const { bytes } of batch) this.share.giveBack(bytes);
  }

  private dropSettled(batch: readonly Waiting<A>[]): Waiting<A>[] {
    const wanted: Waiting<A>[] = [];
    for (const one of batch) {
      if (one.settled) this.share.giveBack(one.bytes);
      else wanted.push(one);
    }
    return wanted;
  }

  /**
   * An append that times out while it is being stored or prepared keeps its share of the budget, because its bytes are
   * in memory.
   */
  private sweep(): void {
    const now = performance.now();
    const isOver = ({ deadline, settled }: Waiting<A>): boolean => !settled && deadline <= now;
    const over = [...this.writers.flatMap(({ stored }) => stored), ...this.waiting].filter(isOver);
    if (over.length === 0) return;
    this.dropWaiting(isOver);
    const fault = this.overdue(this.ordinary.failure ?? this.large.failure);
    for (const one of over) reject(one, fault);
    // The rejected appends no longer hold back later appends to the same partitions.
    this.goOn();
  }

  private dropWaiting(isDropped: (one: Waiting<A>) => boolean): void {
    this.waiting = this.waiting.filter((one) => {
      if (!isDropped(one)) return true;
      if (!one.isUnready) this.share.giveBack(one.bytes);
      if (this.isLarge(one)) this.countLarge(one.append.partition, -1);
      return false;
    });
  }

  private overdue(failure: unknown): Fault {
    const seconds = this.patienceMs / 1000;
    if (failure === undefined) {
      return new Fault('busy', 'log.unavailable', `${this.name} has not acknowledged the command within ${seconds} s`);
    }
    const { message, hint } = this.options.failures.fault(failure);
    return new Fault('busy', 'log.unavailable', `not acknowledged within ${seconds} s: ${message}`, {
      ...(hint !== undefined && { hint }),
      cause: failure,
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

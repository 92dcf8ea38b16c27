import { setTimeout as delay } from 'node:timers/promises';
import { isRetriable } from '#database';
import { offsetAfter, PartitionFollower, type LogReader, type LogRecord } from '#log';
import { commandsWithSections } from '#wire';
import { BatchApplier } from './projector/batch-applier';
import { pauseBeforeRetry } from './projector/pause-before-retry';
import { PartitionTurns } from './projector/partition-turns';
import { PendingRead } from './projector/pending-read';
import { isFenced } from './projector/projection-errors';
import type { ProjectorOptions } from './projector/projector-options';
import { recordRuns } from './projector/record-runs';
import { SuspectRecords } from './projector/suspects';
import { WatchedPositions } from './projector/watched-positions';

const readerOptions = { inParts: commandsWithSections };
const defaultBatchRecords = 200;
const readBytes = 4 << 20;
const emptyReadMs = 10;
/** The positions are read again after this time, to detect commits that PostgreSQL has lost in a crash. */
const positionsMs = 2_000;
/**
 * A reader also returns records at and after the offset at which the projector stops in a partition. After more than
 * this number of such records, the projector opens a new reader without the partition.
 */
const wastedRecords = 1_000;

export class Projector {
  private readonly positions: WatchedPositions;
  private readonly suspects: SuspectRecords;
  private readonly applier: BatchApplier;
  private readonly batchRecords: number;

  constructor(private readonly options: ProjectorOptions) {
    this.batchRecords = options.batchRecords ?? defaultBatchRecords;
    this.positions = new WatchedPositions(options, () => this.applier.forget());
    this.suspects = new SuspectRecords(options.recoveryPlan, options.fatal);
    this.applier = new BatchApplier(options, this.batchRecords, this.suspects, (records) =>
      this.positions.moved(records),
    );
  }

  /**
   * Runs until `signal` aborts or all offsets in `until` are reached. Throws an error that a retry cannot solve, such
   * as `database.retired`.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.follow(signal)) return;
      } catch (error) {
        if (signal.aborted) return;
        // Another projector has moved the positions. Its rows are right, so this projector continues at the new
        // positions.
        if (isFenced(error))
          await this.positions.refuseStandstill(error).catch((found: unknown) => this.wait(found, signal));
        else await this.wait(error, signal);
      }
    }
  }

  private async wait(error: unknown, signal: AbortSignal): Promise<void> {
    if (!isRetriable(error)) throw error;
    await pauseBeforeRetry(error, 1, signal, this.options.onRetry);
  }

  /** Returns true if all wanted records are applied, and false if the reader must be opened again. */
  private async follow(signal: AbortSignal): Promise<boolean> {
    const wanted = await this.wanted();
    if (wanted.size === 0) return true;
    await this.suspects.load(this.options.db);
    let { setbacks } = this.positions;
    const reader = this.open(wanted);
    const readAhead = (): PendingRead =>
      new PendingRead(reader.next({ maxRecords: this.batchRecords, maxBytes: readBytes }, signal));
    const turns = new PartitionTurns();
    let wasted = 0;
    try {
      let next = readAhead();
      const rewind = async (): Promise<void> => {
        const { settled } = next;
        await (reader as PartitionFollower).rewind();
        // If the read has already ended, its records are from before the rewind. If it still waits, it will return
        // records from after the rewind.
        if (settled) next = readAhead();
      };
      while (!signal.aborted) {
        let read: LogRecord[] | undefined;
        try {
          read = await next.within(positionsMs);
        } catch (error) {
          if (!this.isFollower || signal.aborted) throw error;
          // Keeps the reader open. Otherwise the other members of the group would take over its partitions, and soon
          // return them.
          await this.wait(error, signal);
          next = readAhead();
          continue;
        }
        if (signal.aborted) return false;
        await this.positions.refreshAfter(positionsMs);
        if (setbacks !== this.positions.setbacks) {
          ({ setbacks } = this.positions);
          if (!this.isFollower) return false;
          await rewind();
          continue;
        }
        if (read === undefined) continue;
        if (read.length === 0) {
          // A read is empty only while the reader closes or opens again.
          await delay(emptyReadMs, undefined, { signal }).catch(() => undefined);
          next = readAhead();
          continue;
        }
        const records = this.within(read, wanted);
        if (wanted.size > 0) next = readAhead();
        try {
          const isHeavy = await this.applyInTurns(records, turns, signal);
          if (signal.aborted) return false;
          // Reads all partitions again, because other partitions can have new records.
          if (isHeavy) await rewind();
        } catch (error) {
          if (!isFenced(error) || !this.isFollower) throw error;
          await this.positions.refuseStandstill(error);
          await rewind();
        }
        if (wanted.size === 0) return true;
        wasted += read.length - records.length;
        if (wasted > wastedRecords) return false;
      }
      return false;
    } finally {
      await reader.close();
    }
  }

  /** If a batch was heavy (`BatchResult.isHeavy`), skips the remaining records and returns true. */
  private async applyInTurns(
    records: readonly LogRecord[],
    turns: PartitionTurns,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const part of turns.inOrder(records)) {
      for (const run of recordRuns(part)) {
        const isHeavy = await this.applier.apply(run, signal, this.isFollower);
        if (signal.aborted) return false;
        turns.applied(run, isHeavy);
        if (isHeavy) return true;
      }
    }
    return false;
  }

  /** A follower can rewind. Any other reader must be opened again. */
  private get isFollower(): boolean {
    return this.options.group !== undefined;
  }

  private open(wanted: ReadonlyMap<number, number>): LogReader {
    const { db, log, group } = this.options;
    if (group === undefined) return log.reader(wanted, readerOptions);
    const startOf = async (partitions: readonly number[]): Promise<ReadonlyMap<number, number>> => {
      const positions = await this.positions.read();
      return new Map(partitions.map((partition) => [partition, positions.get(partition) ?? 1]));
    };
    return new PartitionFollower({ log, db, group, partitions: wanted.size, startOf, readerOptions });
  }

  private async wanted(): Promise<Map<number, number>> {
    const positions = await this.positions.read();
    const { until } = this.options;
    if (until !== undefined) {
      for (const [partition, offset] of positions) {
        if (offset >= (until.get(partition) ?? 0)) positions.delete(partition);
      }
    }
    return positions;
  }

  /**
   * Returns the records before the offsets in `until`. When a partition has reached its offset, removes the partition
   * from `wanted`.
   */
  private within(records: LogRecord[], wanted: Map<number, number>): LogRecord[] {
    const { until } = this.options;
    if (until === undefined) return records;
    return records.filter((record) => {
      const end = until.get(record.partition) ?? 0;
      if (offsetAfter(record) >= end) wanted.delete(record.partition);
      return record.offset < end;
    });
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { isOutOfOrder, isRetriable, positionsOf } from '#database';
import { Fault, isFault } from '#fault';
import { offsetAfter, type CommandLog, type LogFollower, type LogReader, type LogRecord } from '#log';
import { isRemovalCommand } from '#wire';
import { applyBatch, type BatchContext } from './batch';
import type { DeadLetter } from './dead-letters';
import { KnownKeys } from './known-keys';
import { EventDays } from './reports/event-days';

export interface ProjectorOptions extends Pick<
  BatchContext,
  'db' | 'generation' | 'maxCommandBytes' | 'dropFact' | 'keepDeadLetters'
> {
  readonly log: Pick<CommandLog, 'reader' | 'follower'> | Pick<CommandLog, 'reader'>;
  /** Shares the partitions with the other projectors of this name. Without it, all partitions are its own. */
  readonly group?: string;
  /** For each partition the offset at which to stop; partitions that it does not name are not read. Not with `group`. */
  readonly until?: ReadonlyMap<number, number>;
  /** Identity of the log that the positions must belong to. */
  readonly logId: string;
  /** Called with each dead letter, once it is committed: an alarm, never a decision. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Called when a batch has to wait for the database. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
  /** Called after each committed batch. */
  readonly onBatch?: (records: number) => void;
  /** Most records of one batch; default 200. */
  readonly batchRecords?: number;
}

/** Bytes of payloads read from the log at once, and of inflated payloads applied in one transaction. */
const readBytes = 4 << 20;
const applyBytes = 12 << 20;
const longestWaitMs = 5_000;
const emptyReadMs = 10;
/** So often it is looked at whether the positions still are where they were left. */
const lookMs = 2_000;
/** So often a batch may be fenced although nobody has moved the positions. */
const mostStandstills = 3;
/** So many records that lie behind their partition's end are read and thrown away before the reader is made anew without it. */
const wastedRecords = 1_000;

/** Inflated size of a payload as its own trailer says it (modulo 2^32, and a hint only). */
function inflatedSize({ encoding, payload }: LogRecord): number {
  return encoding === 'gzip' && payload.length >= 18 ? payload.readUInt32LE(payload.length - 4) : payload.length;
}

/**
 * Records cut into runs whose inflated payloads fit in memory together; a larger one stands alone. A run holds documents
 * or maintenance records: what a removal takes away was written by an earlier batch, what comes after it by a later one.
 */
function* portions(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let portion: LogRecord[] = [];
  let bytes = 0;
  let maintenance = false;
  for (const record of records) {
    const size = inflatedSize(record);
    const isMaintenance = isRemovalCommand(record.command);
    if (portion.length > 0 && (bytes + size > applyBytes || isMaintenance !== maintenance)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(record);
    bytes += size;
    maintenance = isMaintenance;
  }
  if (portion.length > 0) yield portion;
}

/** A read under way, of which can be told whether it has ended. */
interface PendingRead {
  readonly records: Promise<LogRecord[]>;
  settled: boolean;
  wake?: () => void;
}

function watched(records: Promise<LogRecord[]>): PendingRead {
  const read: PendingRead = { records, settled: false };
  const end = (): void => {
    read.settled = true;
    read.wake?.();
  };
  records.then(end, end);
  return read;
}

/** Its records; undefined where none have come for a while. A race would leave something behind with each turn. */
async function soon(read: PendingRead): Promise<LogRecord[] | undefined> {
  if (!read.settled) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      read.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return read.settled ? read.records : undefined;
}

const isBlameless = (error: unknown): boolean => isRetriable(error) || isOutOfOrder(error);
const isFenced = (error: unknown): boolean => isFault(error) && error.code === 'database.fenced';
const isRetired = (error: unknown): boolean => isFault(error) && error.code === 'database.retired';

/** Folds the log into one generation's read tables, from the positions that the generation itself holds. */
export class Projector {
  private context: BatchContext;
  /** For each partition the position that was last seen committed. */
  private readonly reached = new Map<number, number>();
  /** How often a position was found before where it was seen: the database has lost its last commits. */
  private setbacks = 0;
  private looked = 0;
  private fenced = { at: '', times: 0 };

  constructor(private readonly options: ProjectorOptions) {
    this.context = this.freshContext();
  }

  /**
   * Runs until `signal` aborts, or all of `until` is reached; the batch at hand is finished first. Throws where going on
   * would be wrong, e.g. Fault `database.retired` where the generation is no longer to be filled.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.follow(signal)) return;
      } catch (error) {
        if (signal.aborted) return;
        // Another projector moved our positions: what it wrote stands, we go on from there.
        if (isFenced(error)) await this.refuseStandstill(error).catch((found: unknown) => this.bear(found, signal));
        else await this.bear(error, signal);
      }
    }
  }

  /** True where all that is wanted has been applied; false where the reader has to be made anew. */
  private async follow(signal: AbortSignal): Promise<boolean> {
    const wanted = await this.wanted();
    if (wanted.size === 0) return true;
    let { setbacks } = this;
    const reader = this.open(wanted);
    const limits = { maxRecords: this.options.batchRecords ?? 200, maxBytes: readBytes };
    let wasted = 0;
    try {
      let next = watched(reader.next(limits, signal));
      const rewind = async (): Promise<void> => {
        const { settled } = next;
        await (reader as LogFollower).rewind();
        // What was read ahead comes from before; what is still waited for will come from after.
        if (settled) next = watched(reader.next(limits, signal));
      };
      while (!signal.aborted) {
        const read = await soon(next);
        if (signal.aborted) return false;
        await this.look();
        if (setbacks !== this.setbacks) {
          ({ setbacks } = this);
          if (!this.follows) return false;
          await rewind();
          continue;
        }
        if (read === undefined) continue;
        if (read.length === 0) {
          // Only where the reader was closed or is beginning anew.
          await delay(emptyReadMs, undefined, { signal }).catch(() => undefined);
          next = watched(reader.next(limits, signal));
          continue;
        }
        const records = this.within(read, wanted);
        if (wanted.size > 0) {
          next = watched(reader.next(limits, signal));
        }
        try {
          for (const portion of portions(records)) {
            await this.apply(portion, signal);
            if (signal.aborted) return false;
          }
        } catch (error) {
          if (!isFenced(error) || !this.follows) throw error;
          await this.refuseStandstill(error);
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

  /** A plain reader only reads on, even where its class could do more: to go back it is made anew. */
  private get follows(): boolean {
    const { log, group } = this.options;
    return group !== undefined && 'follower' in log;
  }

  private async bear(error: unknown, signal: AbortSignal): Promise<void> {
    if (!isRetriable(error)) throw error;
    await this.pause(error, 1, signal);
  }

  /** Fenced again and again with the positions where they are: no race, the log has nothing at that place. */
  private async refuseStandstill(cause: unknown): Promise<void> {
    const at = [...(await this.positions())].map((place) => place.join('-')).join(' ');
    this.fenced = { at, times: at === this.fenced.at ? this.fenced.times + 1 : 1 };
    if (this.fenced.times <= mostStandstills) return;
    const { schema } = this.options.generation;
    throw new Fault(
      'broken',
      'projections.no-such-place',
      `the log has no record where the read tables (${schema}) go on`,
      {
        hint: 'They are older than what the log still holds. Make them anew: nodeledger rebuild.',
        details: { positions: at },
        cause,
      },
    );
  }

  private open(wanted: ReadonlyMap<number, number>): LogReader {
    const { log, group } = this.options;
    if (group === undefined || !('follower' in log)) return log.reader(wanted);
    return log.follower(group, async (partitions) => {
      const positions = await this.positions();
      return new Map(partitions.map((partition) => [partition, positions.get(partition) ?? 1]));
    });
  }

  /** Where to read from in each partition that is not at its end yet. */
  private async wanted(): Promise<Map<number, number>> {
    const positions = await this.positions();
    const { until } = this.options;
    if (until !== undefined) {
      for (const [partition, offset] of positions) {
        if (offset >= (until.get(partition) ?? 0)) positions.delete(partition);
      }
    }
    return positions;
  }

  private async positions(): Promise<Map<number, number>> {
    const { db, generation, logId } = this.options;
    const start = new Map<number, number>();
    for (const [partition, { logId: theirs, nextOffset }] of await positionsOf(db, generation.generation)) {
      if (theirs !== logId) {
        throw new Fault('broken', 'projections.foreign-log', `the read tables belong to log ${theirs}, not ${logId}`);
      }
      start.set(partition, nextOffset);
    }
    if (start.size === 0) {
      throw new Fault('conflict', 'database.retired', `generation ${generation.generation} of the read tables is gone`);
    }
    this.looked = performance.now();
    if ([...start].some(([partition, offset]) => offset < (this.reached.get(partition) ?? 0))) {
      this.setbacks += 1;
      // What is remembered of the database may be lost with them.
      this.context = this.freshContext();
    }
    for (const [partition, offset] of start) this.reached.set(partition, offset);
    return start;
  }

  /**
   * Now and then, whether records come or not. The last commits before a crash of the database may be lost, and nothing
   * tells: the reader is past them, and waits for records that may be long in coming.
   */
  private async look(): Promise<void> {
    if (performance.now() - this.looked < lookMs) return;
    this.looked = performance.now();
    try {
      await this.positions();
    } catch (error) {
      // A batch that meets it waits, and says so.
      if (!isRetriable(error)) throw error;
    }
  }

  private freshContext(): BatchContext {
    const { db, generation, maxCommandBytes, dropFact, keepDeadLetters } = this.options;
    return {
      db,
      generation,
      maxCommandBytes,
      dropFact,
      keepDeadLetters,
      known: new KnownKeys(100_000),
      days: new EventDays(db, generation.schema),
    };
  }

  /** The records below the ends; a partition that they bring to its end is taken off `wanted`. */
  private within(records: LogRecord[], wanted: Map<number, number>): LogRecord[] {
    const { until } = this.options;
    if (until === undefined) return records;
    return records.filter((record) => {
      const end = until.get(record.partition) ?? 0;
      if (offsetAfter(record) >= end) wanted.delete(record.partition);
      return record.offset < end;
    });
  }

  /** Applies a run of records; one that fails for a reason of its own is found by halving and becomes a dead letter. */
  private async apply(records: readonly LogRecord[], signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.report(records, await applyBatch(this.context, records));
      } catch (error) {
        if (isFenced(error) || isRetired(error)) throw error;
        if (isBlameless(error)) {
          // Another server may answer next, which never got the shared rows that are remembered.
          this.context = this.freshContext();
          await this.pause(error, attempt, signal);
          if (signal.aborted) return;
        } else if (records.length === 1) {
          const only = records[0] as LogRecord;
          return this.report(records, await applyBatch(this.context, records, new Map([[only, error]])));
        } else {
          const middle = records.length >> 1;
          await this.apply(records.slice(0, middle), signal);
          if (!signal.aborted) await this.apply(records.slice(middle), signal);
          return;
        }
      }
    }
  }

  private report(records: readonly LogRecord[], { deadLetters }: { deadLetters: readonly DeadLetter[] }): void {
    for (const record of records) this.reached.set(record.partition, offsetAfter(record));
    this.fenced = { at: '', times: 0 };
    for (const letter of deadLetters) this.options.onDeadLetter?.(letter);
    this.options.onBatch?.(records.length);
  }

  private async pause(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    const waitMs = Math.min(longestWaitMs, 50 * 2 ** Math.min(attempt, 10));
    this.options.onRetry?.(error, waitMs);
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

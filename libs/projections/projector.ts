import { setTimeout as delay } from 'node:timers/promises';
import { isOutOfOrder, isRetriable, mayBeTooMuch, positionsOf } from '#database';
import { Fault, isFault } from '#fault';
import { offsetAfter, type CommandLog, type LogFollower, type LogReader, type LogRecord, type Position } from '#log';
import { isRemovalCommand } from '#wire';
import { applyBatch, type BatchContext } from './batch';
import type { DeadLetter } from './dead-letters';
import { fatalRecord, FatalRecords } from './dead-letters/fatal-records';
import { KnownKeys } from './known-keys';
import { EventDays } from './reports/event-days';

export interface ProjectorOptions extends Pick<
  BatchContext,
  'db' | 'generation' | 'maxCommandBytes' | 'limits' | 'dropFact' | 'keepDeadLetters'
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
  /** Called with the records of a batch before the projector works on them. It then applies all of them, or only the first ones. */
  readonly onBegin?: (records: readonly LogRecord[]) => void;
  /** Called after each committed batch. */
  readonly onBatch?: (records: number) => void;
  /** Most records of one batch; default 200. */
  readonly batchRecords?: number;
  /** What is known of an abnormal end of the projector before this one. */
  readonly caution?: Caution;
  /** Instead of the records that the database knows to be fatal: those of another log. */
  readonly fatal?: FatalRecords;
}

/** Care to be taken with records that were at hand when a projector ended abnormally. Plain data. */
export interface Caution {
  /** For each partition the offset behind the last of them: those before are applied one by one. */
  readonly suspectsBefore: ReadonlyMap<number, number>;
  /** Those that have done it twice: they become dead letters unread. `reason` as of the letter's text. */
  readonly reject: readonly (Position & { readonly reason: string })[];
}

/** Bytes of payloads read from the log at once, as they are stored. */
const readBytes = 4 << 20;
const longestWaitMs = 5_000;
const emptyReadMs = 10;
/** So often it is looked at whether the positions still are where they were left. */
const lookMs = 2_000;
/** So often a batch may be fenced although nobody has moved the positions. */
const mostStandstills = 3;
/** So many records that lie behind their partition's end are read and thrown away before the reader is made anew without it. */
const wastedRecords = 1_000;
/** So often a batch is tried again as it is where the database may only find it too large. */
const patientAttempts = 3;
/** After so many batches that went well, twice as many records are tried again. */
const batchesToGrow = 10;

/**
 * Records cut into runs of documents and runs of maintenance records: what a removal takes away was written by an earlier
 * batch, what comes after it is written by a later one.
 */
function* runs(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let run: LogRecord[] = [];
  let removals = false;
  for (const record of records) {
    const isRemoval = isRemovalCommand(record.command);
    if (run.length > 0 && isRemoval !== removals) {
      yield run;
      run = [];
    }
    run.push(record);
    removals = isRemoval;
  }
  if (run.length > 0) yield run;
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
  /** Most records of a batch: less than asked for after the database found a batch too large. */
  private most: number;
  /** Batches that went well since `most` was changed. */
  private went = 0;
  private fatal: FatalRecords | undefined;

  constructor(private readonly options: ProjectorOptions) {
    this.context = this.freshContext();
    this.most = this.batchRecords;
    this.fatal = options.fatal;
  }

  private get batchRecords(): number {
    return this.options.batchRecords ?? 200;
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
    this.fatal ??= await FatalRecords.load(this.options.db);
    let { setbacks } = this;
    const reader = this.open(wanted);
    const limits = { maxRecords: this.batchRecords, maxBytes: readBytes };
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
          for (const run of runs(records)) {
            await this.apply(run, signal);
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
    const { db, generation, maxCommandBytes, limits, dropFact, keepDeadLetters } = this.options;
    return {
      db,
      generation,
      maxCommandBytes,
      limits,
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
  private async apply(run: readonly LogRecord[], signal: AbortSignal): Promise<void> {
    let left = run;
    for (let attempt = 1; left.length > 0; attempt++) {
      const batch = this.batchOf(left);
      try {
        this.options.onBegin?.(batch);
        const { applied, deadLetters } = await applyBatch(this.context, batch, this.fatalAmong(batch));
        this.report(batch.slice(0, applied), deadLetters);
        left = left.slice(applied);
        attempt = 0;
      } catch (error) {
        if (isFenced(error) || isRetired(error)) throw error;
        if (isBlameless(error)) {
          // Another server may answer next, which never got the shared rows that are remembered.
          this.context = this.freshContext();
          if (attempt >= patientAttempts && mayBeTooMuch(error)) this.takeLess(batch.length);
          await this.pause(error, attempt, signal);
        } else if (batch.length === 1) {
          const only = batch[0] as LogRecord;
          const { deadLetters } = await applyBatch(this.context, batch, new Map([[only, error]]));
          this.report(batch, deadLetters);
          left = left.slice(1);
          attempt = 0;
        } else {
          const middle = batch.length >> 1;
          await this.apply(batch.slice(0, middle), signal);
          if (!signal.aborted) await this.apply(batch.slice(middle), signal);
          left = left.slice(batch.length);
          attempt = 0;
        }
        if (signal.aborted) return;
      }
    }
  }

  /** The first records, as many as are to be applied together: suspects stand alone. */
  private batchOf(records: readonly LogRecord[]): readonly LogRecord[] {
    const before = this.options.caution?.suspectsBefore;
    if (before === undefined) return records.slice(0, this.most);
    const suspect = records.findIndex(({ partition, offset }) => offset < (before.get(partition) ?? 0));
    return records.slice(0, suspect === 0 ? 1 : suspect < 0 ? this.most : Math.min(suspect, this.most));
  }

  /** Those that are known to end whoever applies them, with the reason why they are rejected. */
  private fatalAmong(batch: readonly LogRecord[]): Map<LogRecord, unknown> {
    const found = new Map<LogRecord, unknown>();
    const told = this.options.caution?.reject ?? [];
    for (const record of batch) {
      const place = told.find(({ partition, offset }) => partition === record.partition && offset === record.offset);
      if (place !== undefined) found.set(record, fatalRecord(place.reason));
      else if (this.fatal?.has(record) === true) found.set(record, fatalRecord());
    }
    return found;
  }

  private takeLess(than: number): void {
    this.most = Math.max(1, than >> 1);
    this.went = 0;
  }

  private report(records: readonly LogRecord[], deadLetters: readonly DeadLetter[]): void {
    for (const record of records) this.reached.set(record.partition, offsetAfter(record));
    this.fenced = { at: '', times: 0 };
    if (++this.went >= batchesToGrow && this.most < this.batchRecords) {
      this.most = Math.min(this.batchRecords, this.most * 2);
      this.went = 0;
    }
    for (const letter of deadLetters) this.options.onDeadLetter?.(letter);
    this.options.onBatch?.(records.length);
  }

  private async pause(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    const waitMs = Math.min(longestWaitMs, 50 * 2 ** Math.min(attempt, 10));
    this.options.onRetry?.(error, waitMs);
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

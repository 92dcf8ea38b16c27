/**
 * Plays schedules into a log and asks about moments of them. Whatever is answered as of a moment must be what tables answer
 * that were made only from the records up to this moment.
 */
import { randomUUID } from 'node:crypto';
import type { Generation } from '#database';
import { isFault } from '#fault';
import type { NewRecord, Position } from '#log';
import { collectSharedRows, deletePast, letterName, rebuild, retryHeader, snapshot } from '#projections';
import { lifecycleCommands, writeAgeLimits } from '#wire';
import type { Moment } from '../../libs/query/moment/moment';
import { type ResolvedMoment, resolveMoment } from '../../libs/query/moment/resolve-moment';
import { commandOf, type BaseStep } from '../model/base-steps';
import { limitsOf, timeOf } from '../model/steps';
import { MaintenanceBench } from '../support/maintenance';
import { ProjectionBench } from '../support/projection';

export const partitions = 2;

/** Settings that change what the tables get of a record. */
interface RecordSettings {
  /** Commands with more bytes become dead letters. */
  readonly mostBytes: number;
  /** Facts that are not stored. */
  readonly blocked: readonly string[];
}

/** What the projector and the operators do between two records. */
export type HistoryStep =
  | BaseStep
  /** Applies what was appended so far, in batches of so many records, then deletes what age limits have removed. */
  | { readonly do: 'settle'; readonly batch: number; readonly projectors: number }
  /** Deletes the versions that no moment shows any more, and the shared rows that nothing refers to. */
  | { readonly do: 'collect' }
  /** Restarts the projectors with other settings. */
  | ({ readonly do: 'set' } & RecordSettings)
  /** Makes a snapshot of the log, which removes the records that no table needs. */
  | { readonly do: 'snapshot' }
  /** Makes the tables again from the log, and compares them with the live ones. */
  | { readonly do: 'rebuild' };

/** The time at which the first record is received. The times of the documents of the schedules are around it. */
const start = Date.UTC(2026, 0, 1, 0, 0, 2);
const betweenRecordsMs = 100;
/** Clock errors of the servers that receive the records. The records use these values in turn. */
const skewMs = [0, 0, 30, -250, 0, 120];

/** A record with its place in the log, and the settings with which it was applied. */
interface Placed extends Position {
  readonly record: NewRecord;
  readonly settings: RecordSettings;
}

/** Applies all records with these settings. */
async function settle(
  bench: ProjectionBench,
  { mostBytes, blocked }: RecordSettings,
  how: { projectors?: number; batchRecords: number },
  generation?: Generation,
): Promise<void> {
  bench.maxCommandBytes = mostBytes;
  bench.dropFact = (name) => blocked.includes(name);
  await bench.settle(generation, how);
}

/** Plays one schedule. */
export class Played {
  readonly records: Placed[] = [];
  /** What was done besides settling, and how often. */
  readonly counts = new Map<string, number>();
  generation: Generation;
  /** The first moment that can be asked, milliseconds since 1970. */
  begin = start - betweenRecordsMs;
  private settings: RecordSettings = { mostBytes: 20_000_000, blocked: [] };
  private wereSet = false;

  private constructor(readonly bench: ProjectionBench) {
    this.generation = bench.generation;
  }

  /** Applies all records, in the end in batches of this size. */
  static async play(bench: ProjectionBench, steps: readonly HistoryStep[], batch: number): Promise<Played> {
    const played = new Played(bench);
    for (const step of steps) await played.do(step);
    await played.settle({ batchRecords: batch });
    return played;
  }

  /** A time after the last record. */
  get end(): number {
    return start + this.records.length * betweenRecordsMs;
  }

  /** The positions at this time: what the latest time of the records of a partition says. */
  positionsAt(time: number): number[] {
    return Array.from({ length: partitions }, (_, partition) => {
      let latest = -Infinity;
      let next = 1;
      for (const placed of this.records.filter((one) => one.partition === partition)) {
        latest = Math.max(latest, placed.record.receivedAt);
        if (latest > time) break;
        next = placed.offset + 1;
      }
      return next;
    });
  }

  /** Records whose node is not deleted afterwards, in the order in which they were appended. */
  lasting(): readonly Placed[] {
    const deletions = this.records.filter(({ record }) => record.command === lifecycleCommands.deleteNode.command);
    const deleted = new Map(deletions.map(({ record, offset }) => [record.certname, offset]));
    return this.records.filter(({ record, offset }) => offset > (deleted.get(record.certname) ?? 0));
  }

  resolve(moment: Moment): Promise<ResolvedMoment> {
    return resolveMoment(
      moment,
      this.generation,
      async (statement) => (await this.bench.db.query<{ row: string }>(statement))[0]?.row,
    );
  }

  private async do(step: HistoryStep): Promise<void> {
    switch (step.do) {
      case 'settle':
        return this.settle({ projectors: step.projectors, batchRecords: step.batch });
      case 'collect':
        await deletePast(this.bench.db, this.generation);
        await collectSharedRows(this.bench.db, this.generation);
        return;
      case 'set':
        await this.settle({ batchRecords: 7 });
        this.settings = step;
        this.wereSet = true;
        return;
      case 'snapshot':
        return this.snapshot();
      case 'rebuild':
        return this.rebuild();
      case 'again': {
        const { record: again, ...place } = this.records[step.which % Math.max(1, this.records.length)] ?? {};
        if (again === undefined) return;
        const headers = step.retry ? { [retryHeader]: letterName(place as Position) } : {};
        return this.append({ ...again, headers });
      }
      default:
        if (step.do === 'limits' && step.history !== undefined)
          this.begin = Math.max(this.begin, Date.parse(timeOf(step.history)));
        for (const command of commandsOf(step)) await this.append(command);
    }
  }

  private async append(record: Command): Promise<void> {
    const at = this.records.length;
    const receivedAt = start + at * betweenRecordsMs + (skewMs[at % skewMs.length] ?? 0);
    const whole: NewRecord = { ...record, uuid: randomUUID(), receivedAt, encoding: 'identity' };
    const place = await this.bench.log.append(whole);
    this.records.push({ record: whole, ...place, settings: this.settings });
  }

  private settle(how: { projectors?: number; batchRecords: number }): Promise<void> {
    return settle(this.bench, this.settings, how, this.generation);
  }

  private async snapshot(): Promise<void> {
    await this.settle({ batchRecords: 7 });
    try {
      const { nothingToDo } = await snapshot(new MaintenanceBench(this.bench).context(), { historyMs: 0 });
      if (!nothingToDo) this.count('snapshots');
    } catch (error) {
      // With other settings, the log gives other tables.
      const isRefused = isFault(error) && ['replay.newly-rejected', 'replay.live-differs'].includes(error.code);
      if (!isRefused || !this.wereSet) throw error;
    }
  }

  /** With other settings, the tables would be others. Times of a partition without records after a snapshot begin now. */
  private async rebuild(): Promise<void> {
    const { tails, ends } = await this.bench.log.extent();
    if (this.wereSet || [...tails].some(([partition, tail]) => ends.get(partition) === tail)) return;
    await this.settle({ batchRecords: 7 });
    const maintenance = new MaintenanceBench(this.bench);
    await rebuild(maintenance.context());
    this.generation = await maintenance.live();
    this.count('rebuilds');
    // The clocks of the servers differ, so records before the tail can be younger than it.
    for (const { partition, offset, record } of this.records)
      if (offset <= (tails.get(partition) ?? 0)) this.begin = Math.max(this.begin, record.receivedAt);
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/**
 * Calls `compare` at each time with tables that were made only from the records until then, in the order of the times.
 * They are in a database of their own, because dead letters belong to a database.
 */
export async function atTimes(
  played: Played,
  times: readonly number[],
  compare: (then: ProjectionBench, time: number) => Promise<void>,
): Promise<void> {
  const then = await ProjectionBench.open(partitions, false);
  let left = played.lasting();
  try {
    for (const time of [...times].sort((a, b) => a - b)) {
      const ends = played.positionsAt(time);
      const isDue = ({ partition, offset }: Position): boolean => offset < (ends[partition] ?? 0);
      const due = left.filter(isDue);
      left = left.filter((one) => !isDue(one));
      for (const [at, { record, settings }] of due.entries()) {
        await then.log.append(record);
        if (due[at + 1]?.settings !== settings) await settle(then, settings, { batchRecords: 200 });
      }
      await compare(then, time);
    }
  } finally {
    await then.close();
  }
}

type Command = Omit<NewRecord, 'uuid' | 'receivedAt' | 'encoding'>;

/** The commands of a step: one for each partition if they are age limits of all nodes. */
function commandsOf(step: Exclude<BaseStep, { do: 'again' }>): Command[] {
  if (step.do !== 'limits') {
    const { payload, ...command } = commandOf(step);
    return [{ ...command, payload: Buffer.from(payload) }];
  }
  return Array.from({ length: partitions }, (_, partition) => {
    const document = limitsOf(step, partition, partitions);
    const payload = Buffer.from(writeAgeLimits(document));
    return { ...lifecycleCommands.applyAgeLimits, certname: document.certname, payload };
  });
}

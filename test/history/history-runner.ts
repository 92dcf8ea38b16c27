/**
 * Plays schedules into a log and asks about moments of them. Whatever is answered as of a moment must be what tables answer
 * that were made only from the records up to this moment.
 */
import { randomUUID } from 'node:crypto';
import { Generations, type Generation } from '#database';
import { MemoryCommandLog, type NewRecord } from '#log';
import { collectSharedRows, deleteRemovedRows, letterName, newTables, retryHeader } from '#projections';
import { lifecycleCommands, writeAgeLimits } from '#wire';
import type { Moment } from '../../libs/query/moment/moment';
import { type ResolvedMoment, resolveMoment } from '../../libs/query/moment/resolve-moment';
import { commandOf, type BaseStep } from '../model/base-steps';
import { limitsOf } from '../model/steps';
import { ProjectionBench } from '../support/projection';

export const partitions = 2;

/** What the projector does between two records. */
export type HistoryStep =
  | BaseStep
  /** Applies what was appended so far, in batches of so many records, then deletes what age limits have removed. */
  | { readonly do: 'settle'; readonly batch: number; readonly projectors: number }
  /** Deletes shared rows that nothing refers to. */
  | { readonly do: 'collect' };

/** The time at which the first record is received. The times of the documents of the schedules are around it. */
const start = Date.UTC(2026, 0, 1, 0, 0, 2);
const betweenRecordsMs = 100;
/** Clock errors of the servers that receive the records. The records use these values in turn. */
const skewMs = [0, 0, 30, -250, 0, 120];

/** A record with its place in the log. */
interface Placed {
  readonly record: NewRecord;
  readonly partition: number;
}

/** Tables with the log that they are made from. */
class Tables {
  private constructor(
    readonly bench: ProjectionBench,
    readonly log: MemoryCommandLog,
    readonly logId: string,
    readonly generation: Generation,
  ) {}

  static async create(bench: ProjectionBench, keepsPast: boolean): Promise<Tables> {
    const log = new MemoryCommandLog({ partitions });
    const { logId } = await log.open();
    const definition = newTables({ logId, extent: await log.extent(), keepsPast }, 'scratch');
    return new Tables(bench, log, logId, await new Generations(bench.db).create(definition));
  }

  async settle(batchRecords: number, projectors = 1): Promise<void> {
    const { bench, log, logId, generation } = this;
    const until = await log.ends();
    const options = { log, logId, generation, until, batchRecords };
    await Promise.all(
      Array.from({ length: projectors }, () => bench.projector(options).run(AbortSignal.timeout(60_000))),
    );
    await deleteRemovedRows(bench.db, generation);
  }

  async drop(): Promise<void> {
    await new Generations(this.bench.db).drop(this.generation);
    await this.log.close();
  }
}

/** A played schedule. */
export class Played {
  constructor(
    readonly tables: Tables,
    private readonly records: readonly Placed[],
  ) {}

  /** A time shortly before the first record, milliseconds since 1970. */
  readonly begin = start - betweenRecordsMs;

  /** A time after the last record. */
  get end(): number {
    return start + this.records.length * betweenRecordsMs;
  }

  /** The positions at this time: what the latest time of the records of a partition says. */
  positionsAt(time: number): number[] {
    return Array.from({ length: partitions }, (_, partition) => {
      let latest = -Infinity;
      let next = 1;
      for (const { record } of this.records.filter((one) => one.partition === partition)) {
        latest = Math.max(latest, record.receivedAt);
        if (latest > time) break;
        next++;
      }
      return next;
    });
  }

  /** Records of a partition whose node is not deleted afterwards, each with its offset. */
  lasting(partition: number): { readonly record: NewRecord; readonly offset: number }[] {
    const own = this.records.filter((one) => one.partition === partition).map(({ record }) => record);
    const deleted = new Map<string, number>();
    own.forEach(({ command, certname }, at) => {
      if (command === lifecycleCommands.deleteNode.command) deleted.set(certname, at);
    });
    return own
      .map((record, at) => ({ record, offset: at + 1 }))
      .filter(({ record, offset }) => offset > (deleted.get(record.certname) ?? 0));
  }

  resolve(moment: Moment): Promise<ResolvedMoment> {
    const { bench, generation } = this.tables;
    return resolveMoment(
      moment,
      generation,
      async (statement) => (await bench.db.query<{ row: string }>(statement))[0]?.row,
    );
  }
}

export class HistoryRunner {
  private constructor(
    readonly bench: ProjectionBench,
    /** A database of its own, because dead letters belong to a database. */
    private readonly other: ProjectionBench,
  ) {}

  static async open(): Promise<HistoryRunner> {
    return new HistoryRunner(await ProjectionBench.open(partitions), await ProjectionBench.open(partitions));
  }

  async close(): Promise<void> {
    await this.bench.close();
    await this.other.close();
  }

  /** Plays the steps and applies all records. */
  async play(steps: readonly HistoryStep[], batch: number): Promise<Played> {
    const tables = await Tables.create(this.bench, true);
    const records: Placed[] = [];
    const append = async (record: Command): Promise<void> => {
      const at = records.length;
      const skew = skewMs[at % skewMs.length] ?? 0;
      const receivedAt = start + at * betweenRecordsMs + skew;
      const whole: NewRecord = { ...record, uuid: randomUUID(), receivedAt, encoding: 'identity' };
      const { partition } = await tables.log.append(whole);
      records.push({ record: whole, partition });
    };
    for (const step of steps) {
      if (step.do === 'settle') await tables.settle(step.batch, step.projectors);
      else if (step.do === 'collect') await collectSharedRows(this.bench.db, tables.generation);
      else if (step.do === 'again') {
        const again = records[step.which % Math.max(1, records.length)]?.record;
        const headers = step.retry ? { [retryHeader]: letterName({ partition: 0, offset: 1 }) } : {};
        if (again !== undefined) await append({ ...again, headers });
      } else for (const command of commandsOf(step)) await append(command);
    }
    await tables.settle(batch);
    return new Played(tables, records);
  }

  /** Calls `compare` at each time with tables that were made only from the records until then, in the order of the times. */
  async atTimes(
    played: Played,
    times: readonly number[],
    compare: (then: Generation, time: number) => Promise<void>,
  ): Promise<void> {
    const then = await Tables.create(this.other, false);
    const lasting = Array.from({ length: partitions }, (_, partition) => played.lasting(partition));
    try {
      for (const time of [...times].sort((a, b) => a - b)) {
        const ends = played.positionsAt(time);
        for (const [partition, records] of lasting.entries()) {
          const isDue = ({ offset }: { offset: number }): boolean => offset < (ends[partition] ?? 0);
          for (const { record } of records.filter(isDue)) await then.log.append(record);
          lasting[partition] = records.filter((one) => !isDue(one));
        }
        await then.settle(200);
        await compare(then.generation, time);
      }
    } finally {
      await then.drop();
    }
  }

  get otherDb(): ProjectionBench['db'] {
    return this.other.db;
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

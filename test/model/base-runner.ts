import { randomUUID } from 'node:crypto';
import { Generations, type Generation } from '#database';
import { offsetAfter, type CommandLog, type LogReader, type LogRecord, type NewRecord } from '#log';
import { letterName, projectionVersion, readTables, deleteRemovedRows, retryHeader } from '#projections';
import { lifecycleCommands, writeAgeLimits } from '#wire';
import { MemoryCommandLog } from '../../libs/log/testing/memory-command-log';
import { baseRecords, findKept, makeKeptTable } from '../../libs/projections/base/kept-records';
import { ProjectionBench } from '../support/projection';
import { commandOf, type BaseStep, type Command } from './base-steps';
import { limitsOf, type LimitsStep } from './steps';

export type Offsets = ReadonlyMap<number, number>;
export type Dump = Record<string, string[]>;

/** Tables that were made in different ways and must be equal. */
export interface Pair {
  readonly what: string;
  readonly whole: Dump;
  readonly fromBase: Dump;
}

export interface PlayedBases {
  readonly pairs: readonly Pair[];
  /** For each base, in order. */
  readonly bases: readonly (readonly LogRecord[])[];
  /** The certnames in the read tables at the end of each base. */
  readonly known: readonly ReadonlySet<string>[];
}

const partitions = 2;

/**
 * Plays schedules into two logs. One keeps every record; in the other one, bases replace records. Makes tables from
 * both.
 */
export class BaseRunner {
  private constructor(readonly bench: ProjectionBench) {}

  static async open(): Promise<BaseRunner> {
    return new BaseRunner(await ProjectionBench.open(partitions));
  }

  close(): Promise<void> {
    return this.bench.close();
  }

  /** `cuts`: the end of each base in each partition, in percent of the records after the one before. */
  async play(steps: readonly BaseStep[], cuts: readonly (readonly number[])[], batch = 200): Promise<PlayedBases> {
    const logId = randomUUID();
    const whole = new MemoryCommandLog({ partitions, logId });
    const log = new MemoryCommandLog({ partitions, logId });
    for (const record of recordsOf(steps)) for (const one of [whole, log]) await one.append(record);
    const generations = new Generations(this.bench.db);
    const made: Generation[] = [];
    const make = async (starts: Offsets): Promise<Generation> => {
      const definition = { ddl: readTables, projectionVersion, log: { logId, starts }, purpose: 'scratch' } as const;
      const generation = await generations.create(definition);
      made.push(generation);
      return generation;
    };
    const pairs: Pair[] = [];
    const bases: LogRecord[][] = [];
    const known: Set<string>[] = [];
    try {
      const truth = await make((await whole.extent()).starts);
      const replicas: Generation[] = [];
      const compare = async (what: string): Promise<void> => {
        const dump = await this.bench.dump(truth);
        for (const [index, replica] of replicas.entries()) {
          pairs.push({ what: `${what}, base ${index + 1}`, whole: dump, fromBase: await this.bench.dump(replica) });
        }
      };
      const everywhere = async (until: Offsets): Promise<void> => {
        await this.replay(truth, logId, whole, until, batch);
        for (const replica of replicas) await this.replay(replica, logId, log, until, batch);
      };
      for (const [index, cut] of cuts.entries()) {
        const extent = await log.extent();
        const tails = between(extent.tails, extent.ends, cut);
        await everywhere(tails);
        known.push(await this.certnames(truth));
        const { schema } = replicas.at(-1) ?? truth;
        await makeKeptTable(this.bench.db, schema);
        const kept = await collected(
          baseRecords(recordsBelow(log, tails, batch), (positions) => findKept(this.bench.db, schema, positions)),
        );
        bases.push(kept);
        const base = await log.prepareBase(tails, each(kept));
        const replica = await make(await base.starts());
        await this.replay(replica, logId, base, tails, batch);
        await base.commit();
        await log.truncate();
        replicas.push(replica);
        await compare(`where base ${index + 1} ends`);
      }
      await everywhere(await log.ends());
      await compare('at the end');
      // Made from the final log in one replay.
      replicas.splice(0, replicas.length, await make((await log.extent()).starts));
      await this.replay(replicas[0] as Generation, logId, log, await log.ends(), batch);
      await compare('of the log that is left');
    } finally {
      for (const generation of made) await generations.drop(generation);
      await whole.close();
      await log.close();
    }
    return { pairs, bases, known };
  }

  private async replay(
    generation: Generation,
    logId: string,
    log: Pick<CommandLog, 'reader'>,
    until: Offsets,
    batchRecords: number,
  ): Promise<void> {
    const projector = this.bench.projector({
      ...{ log, logId, generation, until, batchRecords },
      onReportsRemoved: async () => void (await deleteRemovedRows(this.bench.db, generation)),
    });
    await projector.run(AbortSignal.timeout(30_000));
  }

  private async certnames({ schema }: Generation): Promise<Set<string>> {
    const rows = await this.bench.db.query<{ certname: string }>({
      text: `SELECT certname FROM ${schema}.nodes`,
      values: [],
    });
    return new Set(rows.map(({ certname }) => certname));
  }
}

function recordsOf(steps: readonly BaseStep[]): NewRecord[] {
  const records: NewRecord[] = [];
  for (const step of steps) {
    if (step.do === 'again') {
      if (records.length === 0) continue;
      const which = step.which % records.length;
      const headers = step.retry ? { [retryHeader]: letterName({ partition: 0, offset: which + 1 }) } : {};
      records.push({ ...(records[which] as NewRecord), uuid: randomUUID(), headers });
      continue;
    }
    for (const { payload, ...command } of step.do === 'limits' ? limitsCommands(step) : [commandOf(step)]) {
      records.push({
        ...command,
        uuid: randomUUID(),
        receivedAt: Date.UTC(2026, 0, 1, 0, 0, 2) + records.length,
        encoding: 'identity',
        payload: Buffer.from(payload),
      });
    }
  }
  return records;
}

const limitsCommands = (step: LimitsStep): Command[] =>
  Array.from({ length: partitions }, (_, partition) => {
    const document = limitsOf(step, partition, partitions);
    return { ...lifecycleCommands.applyAgeLimits, certname: document.certname, payload: writeAgeLimits(document) };
  });

function between(from: Offsets, to: Offsets, percent: readonly number[]): Map<number, number> {
  return new Map(
    [...from].map(([partition, offset]) => {
      const length = (to.get(partition) as number) - offset;
      return [partition, offset + Math.floor((length * (percent[partition] ?? 100)) / 100)];
    }),
  );
}

async function* recordsBelow(
  log: Pick<CommandLog, 'reader' | 'extent'>,
  tails: Offsets,
  maxRecords: number,
): AsyncGenerator<LogRecord[]> {
  const below = (place: { partition: number; offset: number }): boolean =>
    place.offset < (tails.get(place.partition) as number);
  const open = new Map([...(await log.extent()).starts].filter(([partition, offset]) => below({ partition, offset })));
  if (open.size === 0) return;
  const reader: LogReader = log.reader(open);
  try {
    while (open.size > 0) {
      const records = await reader.next({ maxRecords, maxBytes: 1 << 20 }, AbortSignal.timeout(30_000));
      if (records.length === 0) throw new Error('the log ends before its end');
      for (const record of records) {
        if (!below({ partition: record.partition, offset: offsetAfter(record) })) open.delete(record.partition);
      }
      yield records.filter(below);
    }
  } finally {
    await reader.close();
  }
}

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/**
 * What keeping the past costs: the same commands go to two sets of tables in turn, one with its past and one without.
 * Only projecting is measured: `node test/load/history-cost.mjs --nodes 40 --runs 24 --batch 3`. The first load is the median of
 * `--first` loads into new tables, in turn, and the other figures are means of all further runs.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Meter } from './log-throughput/processor-time.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '40' },
    runs: { type: 'string', default: '24' },
    batch: { type: 'string', default: '3' },
    first: { type: 'string', default: '7' },
  },
});
const [nodes, runs, batchRecords, firstRounds] = [values.nodes, values.runs, values.batch, values.first].map(Number);
const load = createRequire(import.meta.url);
load('../support/run-typescript.cjs');
const { Fleet, RUN_INTERVAL_MS } = load('../../tools/fleet/index.ts');
const { Database, EmbeddedPostgres, Generations, migrateControlTables } = load('../../libs/database/index.ts');
const { volatileFactsOf } = load('../../libs/config/index.ts');
const { newTables, Projector } = load('../../libs/projections/index.ts');
const { MemoryCommandLog } = load('../../libs/log/testing/memory-command-log.ts');
const { defaultLimits: limits } = load('../../libs/limits/index.ts');

const startTime = Date.UTC(2026, 0, 1);
const directory = await mkdtemp(join(tmpdir(), 'history-cost-'));
const server = await EmbeddedPostgres.start({ dataDir: directory, log: () => undefined });
try {
  await migrateControlTables(server.connectionString);
  const db = new Database({ connectionString: server.connectionString, max: 6 });
  const [{ pid }] = await db.query({
    text: `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    values: [],
  });
  const log = new MemoryCommandLog({ partitions: 8 });
  const { logId } = await log.open();
  const newSides = async () => {
    const sides = [];
    for (const keepsPast of [false, true]) {
      const definition = newTables(
        { logId, extent: await log.extent(), keepsPast, volatileFacts: volatileFactsOf({}) },
        'rebuild',
      );
      sides.push({ keepsPast, generation: await new Generations(db).create(definition), steady: [] });
    }
    return sides;
  };
  const fleet = new Fleet(1);
  const bytesOf = async ({ schema }) => {
    const rows = await db.query({
      text: `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes FROM pg_class c
             WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r'`,
      values: [schema],
    });
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  };
  const walAt = async () =>
    Number(
      (await db.query({ text: `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS at`, values: [] }))[0].at,
    );
  /** Applies all records that the tables of a side do not have yet. */
  const project = async (side) => {
    const meter = new Meter({ postgres: pid });
    const wal = await walAt();
    meter.begin();
    await new Projector({
      db,
      log,
      logId,
      generation: side.generation,
      maxCommandBytes: 20_000_000,
      limits,
      batchRecords,
      until: await log.ends(),
      onDeadLetter: ({ error }) => process.stderr.write(`${error}\n`),
    }).run(new AbortController().signal);
    const { used, seconds } = meter.end();
    return { node: used.node, postgres: used.postgres, seconds, wal: (await walAt()) - wal };
  };
  const sizes = [];
  let sides;
  /** The first load, into new tables in each round. The first round warms up and does not count. */
  const firsts = new Map([
    [false, []],
    [true, []],
  ]);
  const firstLoads = async () => {
    for (let round = 0; round <= firstRounds; round++) {
      sides = await newSides();
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const { node, postgres } = await project(side);
        if (round > 0) firsts.get(side.keepsPast).push((node + postgres) / (nodes * 3));
      }
    }
  };

  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  for (let run = 0; run < runs; run++) {
    for (let node = 0; node < nodes; node++) {
      const documents = fleet.run(node, run, { startTime: new Date(startTime) });
      for (const { command, version, certname, text } of [documents.facts, documents.catalog, documents.report]) {
        const receivedAt = startTime + run * RUN_INTERVAL_MS + node * 1_000;
        const record = {
          uuid: randomUUID(),
          command,
          version,
          certname,
          receivedAt,
          encoding: 'gzip',
          payload: gzipSync(text),
        };
        await log.append(record);
      }
    }
    if (run === 0) {
      await firstLoads();
      for (const { generation } of sides) sizes.push(await bytesOf(generation));
      continue;
    }
    for (const side of run % 2 === 0 ? sides : sides.toReversed()) {
      side.steady.push(await project(side));
    }
  }
  const commands = nodes * (runs - 1) * 3;
  const mean = (side, name) => side.steady.reduce((sum, told) => sum + told[name], 0) / commands;
  for (const side of sides) {
    const after = await bytesOf(side.generation);
    const total = (map) => [...map.values()].reduce((sum, bytes) => sum + bytes, 0);
    const [node, postgres, wal] = ['node', 'postgres', 'wal'].map((name) => mean(side, name));
    console.log(
      `${side.keepsPast ? 'with past   ' : 'without past'} first load ${median(firsts.get(side.keepsPast)).toFixed(2)} ms a command; steady: ` +
        `node ${node.toFixed(2)} + PostgreSQL ${postgres.toFixed(2)} = ${(node + postgres).toFixed(2)} ms a command, WAL ${((wal * 3) / 1000).toFixed(1)} kB a run, ` +
        `tables ${((total(after) - total(sizes[side.keepsPast ? 1 : 0])) / (nodes * (runs - 1)) / 1000).toFixed(2)} kB a run`,
    );
    if (side.keepsPast)
      for (const [name, bytes] of after)
        if (/_past$|^history|^timeline$/.test(name))
          console.log(`  ${name.padEnd(26)} ${(bytes / (nodes * (runs - 1)) / 1000).toFixed(2)} kB a run`);
  }
  await db.close();
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

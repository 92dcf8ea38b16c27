/** Measures PostgreSQL alone with the same rows and the same statements. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { builtPart } from '../support/arguments.mjs';
import { liveSchema } from './measure-disk.mjs';
import { percentiles } from './percentiles.mjs';

const COPY_SCHEMA = 'bench_copy';
const SQL_ROUNDS = 10;
const SQL_MS = 3_000;

/** Returns the numbers of rows of the live read tables, from the statistics of PostgreSQL. */
export async function liveRows(client) {
  const schema = await liveSchema(client);
  const counted = 'SELECT sum(n_live_tup)::float8 AS rows FROM pg_stat_user_tables WHERE schemaname = $1';
  return (await client.query(counted, [schema])).rows[0].rows;
}

/**
 * COPY of all rows of the live read tables into empty tables with the same columns, indexes and constraints, one table
 * after the other, from a file in `directory`.
 */
export async function copyFloor(client, watch, directory) {
  const schema = await liveSchema(client);
  const { rows: tables } = await client.query(
    `SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY 1`,
    [schema],
  );
  const file = join(directory, 'rows.bin');
  const sum = { seconds: 0, postgresMs: 0, rows: 0, bytes: 0 };
  await client.query(`DROP SCHEMA IF EXISTS ${COPY_SCHEMA} CASCADE; CREATE SCHEMA ${COPY_SCHEMA}`);
  try {
    for (const { name } of tables) {
      const out = client.query(copyTo(`COPY ${schema}.${name} TO STDOUT (FORMAT binary)`));
      await pipeline(out, createWriteStream(file));
      const copy = `${COPY_SCHEMA}.${name}`;
      await client.query(`CREATE TABLE ${copy} (LIKE ${schema}.${name} INCLUDING ALL)`);
      watch.begin();
      const began = performance.now();
      const into = client.query(copyFrom(`COPY ${copy} FROM STDIN (FORMAT binary)`));
      const done = once(into, 'finish');
      await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), into);
      await done;
      sum.seconds += (performance.now() - began) / 1000;
      sum.postgresMs += watch.end().postgresMs;
      sum.rows += into.rowCount ?? 0;
      const { rows } = await client.query('SELECT pg_total_relation_size($1)::float8 AS bytes', [copy]);
      sum.bytes += rows[0].bytes;
    }
  } finally {
    await rm(file, { force: true });
    await client.query(`DROP SCHEMA IF EXISTS ${COPY_SCHEMA} CASCADE`);
    await client.query('CHECKPOINT');
  }
  return sum;
}

/** Sends the statement of each query directly to PostgreSQL. Adds `sql` (p50, ms) to the figures. */
export async function sqlFloors(client, dist, figures) {
  const schema = await liveSchema(client);
  const compile = compiler(dist, schema);
  const floors = [];
  for (const { query, path } of figures) {
    try {
      const statements = compile(path);
      const times = [];
      const ends = performance.now() + SQL_MS;
      for (let round = 0; round <= SQL_ROUNDS && (round < 3 || performance.now() < ends); round++) {
        const began = performance.now();
        for (const { text, values } of statements) await client.query({ text, values, rowMode: 'array' });
        // The first round fills the caches.
        if (round > 0) times.push(performance.now() - began);
      }
      floors.push({ query, p50: percentiles(times).p50 });
    } catch (error) {
      floors.push({ query, error: error.message });
    }
  }
  return floors;
}

/** Returns the statements of the built service for the path of a request, with default settings. */
function compiler(dist, schema) {
  const part = (name) => builtPart(dist, `libs/query/${name}.js`);
  const { compileQuery } = part('compile');
  const { matchRoute } = part('http/match-route');
  const { parametersOfUrl } = part('http/request-parameters');
  const { readRequest } = part('http/read-request');
  const { defaultLimits } = builtPart(dist, 'libs/limits/index.js');
  return (url) => {
    const match = matchRoute(url.split('?', 1)[0].replace(/^\/pdb\/query\/v4\/?/, ''));
    const { requests } = readRequest(match, parametersOfUrl(url, defaultLimits));
    const target = { schema, edition: 'full', dialect: 'neutral', limits: defaultLimits };
    const one = match.route.answer === 'record' ? { paging: { limit: 1 } } : {};
    return requests.map((request) => compileQuery({ ...request, ...one }, target).rows);
  };
}

/** Reads the read tables as one text for each table, to compare two states of them. */
import { createHash } from 'node:crypto';
import { Generations, positionsOf, type Database, type Generation } from '#database';
import type { CommandLog } from '#log';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalRows, canonicalTables } from '../../libs/projections/replay/canonical-tables';

/** By table: the number of rows, and a digest of all rows. */
export type Dump = Record<string, string>;

export async function liveGeneration(db: Database): Promise<Generation> {
  const live = await new Generations(db).live();
  if (live === undefined) throw new Error('no generation is live');
  return live;
}

/**
 * `without` names columns that are not compared: `factsets.timestamp`, or `timestamp` of all tables. The past is left out, because a
 * snapshot shortens it. `verify` compares the past that both tables keep.
 */
export async function dumpOf(db: Database, without: ReadonlySet<string> = new Set()): Promise<Dump> {
  const { schema } = await liveGeneration(db);
  const dump: Dump = {};
  for (const table of await canonicalTables(db, schema)) {
    const columns = table.columns.filter((name) => !without.has(name) && !without.has(`${table.name}.${name}`));
    const rows = await db.query<{ row: string }>({
      text: `SELECT row FROM (${canonicalRows({ schema, table, columns, hasRemovals: true, past: undefined })}) x ORDER BY row COLLATE "C"`,
      values: [],
    });
    const digest = createHash('sha256');
    for (const { row } of rows) digest.update(row).update('\n');
    dump[table.name] = `${rows.length} rows, ${digest.digest('hex')}`;
  }
  return dump;
}

export const rowsIn = (dump: Dump): number =>
  Object.values(dump).reduce((sum, told) => sum + Number.parseInt(told, 10), 0);

/** Waits until the live tables have everything that the log has at the time of the call. */
export async function settled(db: Database, log: CommandLog, longestMs: number): Promise<void> {
  const ends = await log.ends();
  let behind: string[] = [];
  for (const deadline = Date.now() + longestMs; Date.now() < deadline; await delay(100)) {
    const positions = await positionsOf(db, (await liveGeneration(db)).generation);
    behind = [...ends]
      .filter(([partition, end]) => (positions.get(partition)?.nextOffset ?? 0) < end)
      .map(([partition, end]) => `${partition}: ${positions.get(partition)?.nextOffset} of ${end}`);
    if (behind.length === 0) return;
  }
  throw new Error(`the tables did not reach the end of the log within ${longestMs / 1000} s: ${behind.join(', ')}`);
}

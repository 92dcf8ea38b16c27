import { type Database, type Generation, raiseSharedEpoch, takeSharedRows } from '#database';
import { pastName } from '../schema/past';
import { projectionVersion, tablesOfPast, tablesWithPast } from '../schema/read-tables';

/**
 * `waitMs` limits the wait until running batches and running queries about the past end. `statementMs` limits one
 * statement.
 */
export const held = { waitMs: 10_000, statementMs: 60_000 };

/**
 * Makes the tables start or stop keeping their past. When they stop, their past is deleted. Does nothing if the
 * generation has another projection version. Batches wait during the change.
 */
export async function keepPast(
  db: Database,
  { generation, schema, projectionVersion: form }: Generation,
  keeps: boolean,
): Promise<void> {
  if (form !== projectionVersion || (await isKept(db, schema)) === keeps) return;
  await db.transaction(async (session) => {
    await takeSharedRows(session, generation, held);
    const run = (text: string, ...values: unknown[]): Promise<unknown> => session.query({ text, values });
    if (keeps) {
      await run(`INSERT INTO ${schema}.known_nodes SELECT node FROM ${schema}.nodes ON CONFLICT DO NOTHING`);
      await run(
        `INSERT INTO ${schema}.history_starts
         SELECT log_partition, next_offset FROM nodeledger.positions WHERE generation = $1 ON CONFLICT DO NOTHING`,
        generation,
      );
      await run(
        `INSERT INTO ${schema}.history_times SELECT log_partition, now(), next_offset FROM ${schema}.history_starts
         ON CONFLICT DO NOTHING`,
      );
    } else {
      const past = [
        ...['history_starts', 'history_times'],
        ...tablesWithPast.map(({ name }) => pastName(name)),
        ...tablesOfPast.map(({ name }) => name),
      ];
      await run(`TRUNCATE ${past.map((table) => `${schema}.${table}`).join(', ')}`);
    }
    await raiseSharedEpoch(session, generation);
  });
}

async function isKept(db: Database, schema: string): Promise<boolean> {
  const [first] = await db.query({ text: `SELECT FROM ${schema}.history_starts LIMIT 1`, values: [] });
  return first !== undefined;
}

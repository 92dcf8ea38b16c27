import { arrayLiteral, type Database, type Session } from '#database';
import { key64Bytes } from '../keys';

/** The first projection version whose tables have a timeline. */
export const firstWithTimeline = 9;

/** Keys of facts (`key64Bytes`) whose changes the timeline omits. */
export type VolatileFacts = ReadonlySet<string>;

export async function readVolatileNames(db: Pick<Database | Session, 'query'>, schema: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    text: `SELECT name FROM ${schema}.volatile_facts ORDER BY name COLLATE "C"`,
    values: [],
  });
  return rows.map(({ name }) => name);
}

export async function readVolatileFacts(db: Pick<Database | Session, 'query'>, schema: string): Promise<VolatileFacts> {
  return new Set((await readVolatileNames(db, schema)).map(key64Bytes));
}

export async function writeVolatileNames(session: Session, schema: string, names: readonly string[]): Promise<void> {
  await session.query({
    text: `INSERT INTO ${schema}.volatile_facts SELECT DISTINCT unnest($1::text[])`,
    values: [arrayLiteral(names)],
  });
}

import type { Session } from '#database';
import type { RowSource } from './entries-of';

/** Returns a RowSource that reads with a Database, or with the session of a transaction. */
export const rowSource = (session: Pick<Session, 'query'>): RowSource => ({
  one: async (statement) => (await session.query<{ row: string }>(statement))[0]?.row,
});

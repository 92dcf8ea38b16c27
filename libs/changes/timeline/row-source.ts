import type { Session } from '#database';
import type { RowSource } from './entries-of';

/** Returns a source that reads with the session of a transaction or with a Database. */
export const rowSource = (session: Pick<Session, 'query'>): RowSource => ({
  one: async (statement) => (await session.query<{ row: string }>(statement))[0]?.row,
});

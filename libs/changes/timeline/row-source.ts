import type { Session } from '#database';
import type { RowSource } from './entries-of';

export const rowSource = (session: Pick<Session, 'query'>): RowSource => ({
  one: async (statement) => (await session.query<{ row: string }>(statement))[0]?.row,
});

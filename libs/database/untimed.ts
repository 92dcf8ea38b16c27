import type { Session } from './session';

/**
 * Takes off this transaction the time limits that a server, database or role may set for all. Maintenance holds a
 * transaction open for as long as it works, and some of its statements read whole tables.
 */
export async function withoutTimeouts(session: Pick<Session, 'query'>): Promise<void> {
  // Not every PostgreSQL knows all of them.
  await session.query({
    text: `SELECT set_config(name, '0', true) FROM pg_settings
           WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
    values: [],
  });
}

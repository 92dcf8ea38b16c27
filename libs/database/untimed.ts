import type { Session } from './session';

/**
 * Removes the time limits from the current transaction. They must be removed for maintenance, which keeps a transaction
 * open during its work and runs statements that read whole tables.
 */
export async function withoutTimeouts(session: Pick<Session, 'query'>): Promise<void> {
  // Selects the names from pg_settings, because older versions of PostgreSQL do not have all of these settings.
  await session.query({
    text: `SELECT set_config(name, '0', true) FROM pg_settings
           WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
    values: [],
  });
}

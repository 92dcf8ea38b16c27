import type { Session } from './session';

/**
 * Removes all time limits in this transaction. Maintenance needs this, because it keeps a transaction open during its
 * work, and runs statements that read whole tables.
 */
export async function withoutTimeouts(session: Pick<Session, 'query'>): Promise<void> {
  // Older versions of PostgreSQL do not have all of these settings.
  await session.query({
    text: `SELECT set_config(name, '0', true) FROM pg_settings
           WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
    values: [],
  });
}

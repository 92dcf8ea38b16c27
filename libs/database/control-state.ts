/**
 * Copies the control tables to another database, except data that can be rebuilt from the log, such as generations. The
 * embedded log is copied separately.
 */
import { Fault } from '#fault';
import type { Database } from './database';
import { controlVersion } from './migrate';
import type { Session } from './session';
import { withoutTimeouts } from './untimed';

export interface ControlTable {
  readonly name: string;
  readonly columns: readonly string[];
}

const madeAnew = [
  'migrations',
  'generations',
  'positions',
  'log_partitions',
  'log_records',
  'log_base_records',
  'log_epochs',
  'log_sections',
  'log_pieces',
  // Not copied, because users sign in again.
  'sessions',
  // Not copied, because the cursors alone decide which changes are delivered next.
  'deliveries',
];
const sequencesMadeAnew = ['log_base_numbers', 'migrations_id_seq', 'deliveries_id_seq'];

const named = (name: string): string => {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) {
    throw changedManifest(`${JSON.stringify(name)} is no name of a table or column`);
  }
  return `"${name}"`;
};

const changedManifest = (message: string): Fault =>
  new Fault('malformed', 'backup.damaged', message, {
    hint: 'The manifest of the backup was changed. Use another backup.',
  });

export class ControlState {
  readonly version = controlVersion;

  private constructor(
    private readonly session: Session,
    readonly tables: readonly ControlTable[],
    readonly sequences: Readonly<Record<string, number>>,
  ) {}

  /** Runs `work` in one REPEATABLE READ transaction, so that all its reads see the same state. */
  static read<T>(db: Database, work: (state: ControlState) => Promise<T>): Promise<T> {
    return db.transaction(async (session) => {
      await session.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] });
      await withoutTimeouts(session);
      return work(new ControlState(session, await tablesOf(session), await sequencesOf(session)));
    });
  }

  /** Yields the text format of COPY, in chunks that can end within a row. */
  rows({ name, columns }: ControlTable): AsyncIterable<Buffer> {
    return this.session.copyOut(
      `COPY (SELECT ${columns.map(named).join(', ')} FROM nodeledger.${named(name)}) TO STDOUT`,
    );
  }

  static async load(session: Session, { name, columns }: ControlTable, text: AsyncIterable<Buffer>): Promise<void> {
    if (madeAnew.includes(name)) throw changedManifest(`${name} is no table of the control state`);
    await session.copyIn(`COPY nodeledger.${named(name)} (${columns.map(named).join(', ')}) FROM STDIN`, text);
  }

  /** Sets each sequence to its last value in the source, so that no number is used twice. */
  static async setSequences(session: Session, sequences: Readonly<Record<string, number>>): Promise<void> {
    for (const [name, last] of Object.entries(sequences)) {
      await session.query({
        text: `SELECT setval(format('nodeledger.%I', $1::text)::regclass, $2::bigint)`,
        values: [name, last],
      });
    }
  }
}

async function tablesOf(session: Session): Promise<ControlTable[]> {
  const rows = await session.query<{ name: string; columns: string }>({
    text: `SELECT c.relname AS name, string_agg(a.attname, ',' ORDER BY a.attnum) AS columns
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
           WHERE n.nspname = 'nodeledger' AND c.relkind = 'r' AND c.relname <> ALL ($1::text[])
           GROUP BY 1 ORDER BY 1`,
    values: [madeAnew],
  });
  return rows.map(({ name, columns }) => ({ name, columns: columns.split(',') }));
}

async function sequencesOf(session: Session): Promise<Record<string, number>> {
  const rows = await session.query<{ name: string; last: number }>({
    text: `SELECT sequencename AS name, last_value AS last FROM pg_sequences
           WHERE schemaname = 'nodeledger' AND last_value IS NOT NULL AND sequencename <> ALL ($1::text[]) ORDER BY 1`,
    values: [sequencesMadeAnew],
  });
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

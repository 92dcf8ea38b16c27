import { arrayLiteral, type Generation, isoTime, type OwnSession, positionsOf, type Session } from '#database';
import { Fault } from '#fault';
import { documentTables, hasPast, isLeft, partitionOfNode } from '#projections';
import { type EntryKind, entryKinds } from '../format/entry-kinds';

export interface PlannedEntry {
  readonly ordinal: number;
  readonly kind: EntryKind;
  readonly certname: string;
  readonly inactive: boolean;
  /**
   * Milliseconds since 1970. The documents of a kind are sorted by this time, and the file of the document has it as
   * its modification time.
   */
  readonly time: number;
  readonly partition: number | null;
  readonly offset: number | null;
  /**
   * If the document is made from a row of `nodes`, its JSON. In this case, `partition` and `offset` are null.
   * Otherwise, `state` is null.
   */
  readonly state: string | null;
}

export interface PlanSummary {
  readonly counts: ReadonlyMap<EntryKind, number>;
  readonly total: number;
  /** In milliseconds since 1970; null if the archive is empty. */
  readonly newest: number | null;
  /** Keys are partitions. Values are the offsets after the last applied record. */
  readonly positions: ReadonlyMap<number, number>;
}

const number = (kind: EntryKind): number => entryKinds.findIndex((entry) => entry.kind === kind);

function kindOfDocuments(command: string): EntryKind {
  const found = entryKinds.find((entry) => entry.command === command);
  if (found === undefined) throw new Error(`archives have no entries for ${command}`);
  return found.kind;
}

export interface ExportedTables {
  readonly generation: number;
  readonly schema: string;
  /**
   * If present, the export contains the state at an earlier time. For each partition, the list contains the first
   * offset that is not part of this state. Default: the current state of the tables.
   */
  readonly offsets?: readonly string[] | undefined;
}

function entriesOf({ schema, offsets }: ExportedTables): string {
  const from = (name: string): string =>
    offsets === undefined ? `${schema}.${name}` : `${schema}.${name}_at('${arrayLiteral(offsets)}'::bigint[])`;
  const away = `(n.deactivated IS NOT NULL OR n.expired IS NOT NULL)`;
  // Omits documents that an age limit has removed, because their rows may still exist.
  const documents = documentTables.map((table) => ({
    kind: kindOfDocuments(table.documentsOf),
    table: from(table.name),
    // `since` is the offset of the record with which a version of a row begins. For a document, this is the record that
    // contains the document.
    position:
      offsets !== undefined && hasPast(table)
        ? `${partitionOfNode('d.node', String(offsets.length))}, d.since`
        : 'd.log_partition, d.log_offset',
    isLeft: isLeft(schema, table, 'd'),
  }));
  const ofLog = documents.map(
    ({ kind, table, position, isLeft }) =>
      `SELECT ${number(kind)}, n.certname, ${away}, d.producer_timestamp, ${position}, NULL::text
       FROM ${table} d JOIN ${from('nodes')} n USING (node) WHERE ${isLeft}`,
  );
  const hasNone = documents.map(
    ({ table, isLeft }) => `NOT EXISTS (SELECT FROM ${table} d WHERE d.node = n.node AND ${isLeft})`,
  );
  const setting = `
    SELECT ${number('configure expiration')}, n.certname, ${away}, n.expires_facts_updated, NULL, NULL,
      json_build_object('certname', n.certname, 'expire', json_build_object('facts', n.expires_facts),
        'producer_timestamp', ${isoTime('n.expires_facts_updated')})::text
    FROM ${from('nodes')} n WHERE n.expires_facts_updated IS NOT NULL`;
  // Exports the state of inactive nodes, and of nodes about which the archive would otherwise contain nothing.
  const state = `
    SELECT ${number('node state')}, n.certname, ${away},
      greatest(n.deactivated, n.expired, n.expired_cutoff, n.expires_facts_updated, 'epoch'), NULL, NULL,
      json_build_object('certname', n.certname, 'deactivated', ${isoTime('n.deactivated')},
        'expire_facts', n.expires_facts, 'expire_facts_updated', ${isoTime('n.expires_facts_updated')},
        'expired', ${isoTime('n.expired')}, 'expired_cutoff', ${isoTime('n.expired_cutoff')})::text
    FROM ${from('nodes')} n
    WHERE ${away} OR (n.expires_facts_updated IS NULL AND ${hasNone.join(' AND ')})`;
  return [...ofLog, setting, state].join(' UNION ALL ');
}

export const plannedAtOnce = 500;

export class ExportPlan {
  private constructor(
    private readonly session: OwnSession,
    readonly summary: PlanSummary,
  ) {}

  /**
   * Reads the tables in one transaction. The transaction ends when the entries are in a temporary table, so that vacuum
   * does not wait for the export. `nameOf` returns the anonymized certname, by which the archive is sorted.
   */
  static async make(
    session: OwnSession,
    tablesOf: (session: Session) => Promise<ExportedTables>,
    nameOf?: (certname: string) => string,
  ): Promise<ExportPlan> {
    const positions = await session.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ', async (snapshot) => {
      const tables = await tablesOf(snapshot);
      const run = (text: string): Promise<unknown> => snapshot.query({ text, values: [] });
      await run(
        `CREATE TEMP TABLE export_entries (kind, certname, inactive, time, log_partition, log_offset, state) AS ${entriesOf(tables)}`,
      );
      const stored = await positionsOf(snapshot, tables.generation);
      return new Map([...stored].map(([partition, { nextOffset }]) => [partition, nextOffset]));
    });
    await this.order(session, nameOf);
    const rows = await session.query<{ kind: number; count: number }>({
      text: 'SELECT kind, count(*) AS count FROM export_plan GROUP BY kind',
      values: [],
    });
    const counts = new Map(rows.map(({ kind, count }) => [entryKinds[kind]!.kind, count]));
    const [newest] = await session.query<{ newest: string | null }>({
      text: 'SELECT max(time)::text AS newest FROM export_plan',
      values: [],
    });
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const time = newest?.newest ?? null;
    return new ExportPlan(session, { counts, total, newest: time === null ? null : Number(time), positions });
  }

  private static async order(session: OwnSession, nameOf?: (certname: string) => string): Promise<void> {
    const run = (text: string): Promise<unknown> => session.query({ text, values: [] });
    await run(`CREATE TEMP TABLE export_names AS
               SELECT certname, certname AS name FROM (SELECT DISTINCT certname FROM export_entries) AS e`);
    if (nameOf !== undefined) await rename(session, nameOf);
    // Exports documents with equal times in the order of the log, because the first of two reports with equal times
    // counts as the latest report.
    await run(`CREATE TEMP TABLE export_plan AS
               SELECT row_number() OVER (
                   ORDER BY n.name COLLATE "C", e.kind, e.time, e.log_partition, e.log_offset) AS ordinal,
                 e.kind, e.certname, e.inactive, floor(extract(epoch FROM e.time) * 1000)::bigint AS time,
                 e.log_partition, e.log_offset, e.state
               FROM export_entries e JOIN export_names n USING (certname)`);
    await run('CREATE UNIQUE INDEX ON export_plan (ordinal)');
    await run('DROP TABLE export_entries, export_names');
    await run('ANALYZE export_plan');
  }

  async after(ordinal: number): Promise<PlannedEntry[]> {
    const rows = await this.session.query<Omit<PlannedEntry, 'kind' | 'time'> & { kind: number; time: string }>({
      text: `SELECT ordinal, kind, certname, inactive, time::text AS time, log_partition AS partition, log_offset AS "offset",
               state
             FROM export_plan WHERE ordinal > $1 ORDER BY ordinal LIMIT ${plannedAtOnce}`,
      values: [ordinal],
    });
    return rows.map((row) => ({ ...row, kind: entryKinds[row.kind]!.kind, time: Number(row.time) }));
  }
}

async function rename(session: OwnSession, nameOf: (certname: string) => string): Promise<void> {
  await session.query({ text: 'CREATE UNIQUE INDEX ON export_names (certname COLLATE "C")', values: [] });
  for (let last = ''; ;) {
    const rows = await session.query<{ certname: string }>({
      text: `SELECT certname FROM export_names WHERE certname COLLATE "C" > $1 ORDER BY certname COLLATE "C" LIMIT 1000`,
      values: [last],
    });
    if (rows.length === 0) return;
    const certnames = rows.map(({ certname }) => certname);
    await session.query({
      text: `UPDATE export_names n SET name = t.name FROM unnest($1::text[], $2::text[]) AS t(certname, name)
             WHERE n.certname = t.certname`,
      values: [arrayLiteral(certnames), arrayLiteral(certnames.map(nameOf))],
    });
    last = certnames.at(-1)!;
  }
}

export async function liveGenerationOf(session: Session): Promise<Generation> {
  const [live] = await session.query<Generation>({
    text: `SELECT generation, schema_name AS schema, projection_version AS "projectionVersion" FROM nodeledger.generations WHERE state = 'live'`,
    values: [],
  });
  if (live === undefined) throw new Fault('missing', 'replay.no-live', 'there are no read tables yet');
  return live;
}

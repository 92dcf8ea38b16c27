import { arrayLiteral, type Session } from '#database';
import { tablesDeletedBy } from '../schema/read-tables';

const deletedWithNode = tablesDeletedBy('node').map(({ name }) => name);
const deletedWithReport = tablesDeletedBy('report').map(({ name }) => name);

/** Deletes all rows of the nodes with these keys. */
export async function deleteNodes(session: Session, schema: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const nodes = arrayLiteral([...keys].sort());
  const reports = await session.query<{ report: string }>({
    text: `DELETE FROM ${schema}.reports WHERE node = ANY($1::bigint[]) RETURNING report::text AS report`,
    values: [nodes],
  });
  await deleteBelowReports(
    session,
    schema,
    reports.map(({ report }) => report),
  );
  for (const table of deletedWithNode) {
    await session.query({ text: `DELETE FROM ${schema}.${table} WHERE node = ANY($1::bigint[])`, values: [nodes] });
  }
}

/** Deletes the reports with these keys, and their events. */
export async function deleteReports(session: Session, schema: string, reports: readonly string[]): Promise<void> {
  if (reports.length === 0) return;
  await session.query({
    text: `DELETE FROM ${schema}.reports WHERE report = ANY($1::uuid[])`,
    values: [arrayLiteral(reports)],
  });
  await deleteBelowReports(session, schema, reports);
}

/** Deletes the rows that belong to the reports with these keys. Returns the number of deleted events. */
export async function deleteBelowReports(
  session: Session,
  schema: string,
  reports: readonly string[],
  tables: readonly string[] = deletedWithReport,
): Promise<number> {
  if (reports.length === 0) return 0;
  let events = 0;
  for (const table of tables) {
    const [deleted] = await session.query<{ count: number }>({
      text: `WITH gone AS (DELETE FROM ${schema}.${table} WHERE report = ANY($1::uuid[]) RETURNING 1)
             SELECT count(*) AS count FROM gone`,
      values: [arrayLiteral(reports)],
    });
    if (table === 'resource_events') events = deleted?.count ?? 0;
  }
  return events;
}

import { arrayLiteral, type Session } from '#database';
import { tablesDeletedBy } from '../schema/read-tables';

const deletedWithNode = tablesDeletedBy('node').map(({ name }) => name);
const deletedWithReport = tablesDeletedBy('report').map(({ name }) => name);

/** Later than every report, also as text: a node that goes takes all of them along. */
export const afterAllReports = 'infinity';

/** Deletes all rows of the nodes with these keys. */
export async function deleteNodes(session: Session, schema: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await deleteReportsBefore(session, schema, new Map(keys.map((key) => [key, afterAllReports])));
  await deleteRowsOfNodes(session, schema, keys);
}

/** Deletes the rows of the nodes with these keys, other than those below a report. */
export async function deleteRowsOfNodes(session: Session, schema: string, keys: readonly string[]): Promise<void> {
  const nodes = arrayLiteral([...keys].sort());
  for (const table of deletedWithNode) {
    await session.query({ text: `DELETE FROM ${schema}.${table} WHERE node = ANY($1::bigint[])`, values: [nodes] });
  }
}

/** Deletes each node's reports of before a time, with their events. */
export async function deleteReportsBefore(
  session: Session,
  schema: string,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const deleted = await session.query<{ report: string }>({
    text: `DELETE FROM ${schema}.reports r USING unnest($1::bigint[], $2::timestamptz[]) AS t(node, before)
           WHERE r.node = t.node AND r.producer_timestamp < t.before
           RETURNING r.report::text AS report`,
    values: [arrayLiteral([...before.keys()]), arrayLiteral([...before.values()])],
  });
  await deleteBelowReports(
    session,
    schema,
    deleted.map(({ report }) => report),
  );
}

/** Deletes the reports with these keys, with their events. */
export async function deleteReports(session: Session, schema: string, reports: readonly string[]): Promise<void> {
  if (reports.length === 0) return;
  await session.query({
    text: `DELETE FROM ${schema}.reports WHERE report = ANY($1::uuid[])`,
    values: [arrayLiteral(reports)],
  });
  await deleteBelowReports(session, schema, reports);
}

/** Deletes what belongs to the reports with these keys. Gives the number of events. */
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

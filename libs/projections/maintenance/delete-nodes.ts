import { arrayLiteral, type Session } from '#database';
import { deleteRows } from '../history/move-to-past';
import { pastName } from '../schema/past';
import { tablesDeletedBy, tablesOfPast, tablesWithPast } from '../schema/read-tables';

const deletedWithNode = tablesDeletedBy('node')
  .filter(({ belongsToPast }) => !belongsToPast)
  .map(({ name }) => name);
const pastOfNodes = [
  ...tablesWithPast.map(({ name }) => pastName(name)),
  ...tablesOfPast.filter(({ deletedBy }) => deletedBy.includes('node')).map(({ name }) => name),
];
const deletedOnlyWithReport = tablesDeletedBy('report')
  .filter(({ deletedBy }) => !deletedBy.includes('node'))
  .map(({ name }) => name);
const deletedWithReport = tablesDeletedBy('report').map(({ name }) => name);

export async function deleteNodes(session: Session, schema: string, keys: readonly string[]): Promise<void> {
  await purgeNodes(session, schema, keys, undefined);
  if (keys.length === 0) return;
  for (const table of pastOfNodes) {
    await session.query({
      text: `DELETE FROM ${schema}.${table} WHERE node = ANY($1::bigint[])`,
      values: [arrayLiteral(keys)],
    });
  }
}

/**
 * Deletes the current rows of the nodes. `until` is the offset of the record that purges the nodes. If `until` is
 * given, the rows move to the past. Reports and events are always deleted.
 */
export async function purgeNodes(
  session: Session,
  schema: string,
  keys: readonly string[],
  until: number | undefined,
): Promise<void> {
  if (keys.length === 0) return;
  const nodes = arrayLiteral([...keys].sort());
  const reports = await session.query<{ report: string }>({
    text: `DELETE FROM ${schema}.reports WHERE node = ANY($1::bigint[]) RETURNING report::text AS report`,
    values: [nodes],
  });
  const of = reports.map(({ report }) => report);
  await deleteBelowReports(session, schema, of, deletedOnlyWithReport);
  for (const table of deletedWithNode) {
    const condition = 'WHERE s.node = ANY($1::bigint[])';
    await session.query({
      text: deleteRows(schema, table, condition, until === undefined ? undefined : '$2::bigint'),
      values: until === undefined ? [nodes] : [nodes, until],
    });
  }
}

export async function deleteReports(session: Session, schema: string, reports: readonly string[]): Promise<void> {
  if (reports.length === 0) return;
  await session.query({
    text: `DELETE FROM ${schema}.reports WHERE report = ANY($1::uuid[])`,
    values: [arrayLiteral(reports)],
  });
  await deleteBelowReports(session, schema, reports);
}

/** Returns the number of deleted events. */
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

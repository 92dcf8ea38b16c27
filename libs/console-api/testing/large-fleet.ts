import { Fleet } from '#fleet';
import type { ConsoleBench } from './console-bench';

const models = 50;
const halfHour = 1_800_000;

/** Tables with rows for each node. Copies of these rows differ from their originals only in the key of the node. */
const nodeTables = ['factsets', 'facts', 'fact_contents', 'package_inventory', 'catalogs'];

/**
 * Fills the tables with a fleet of `nodes` nodes, which have run every half hour for `hours` hours. Submits the
 * documents of only 50 simulated machines, because submitting all documents would take an hour. For the other nodes,
 * copies the rows of these machines, with other keys.
 */
export async function fillLargeFleet({ projection }: ConsoleBench, nodes: number, hours: number): Promise<void> {
  const fleet = new Fleet('console');
  const startTime = new Date(Date.now() - 2 * halfHour);
  for (let index = 0; index < models; index++)
    for (const run of [0, 1])
      for (const { command, version, certname, text } of fleet.run(index, run, { startTime }).sent)
        await projection.submit(command, certname, { version, payload: text, receivedAt: Date.now() });
  await projection.settle();
  if (projection.deadLetters.length > 0) throw new Error('a document of the fleet was refused');
  const copies = Math.ceil(nodes / models) - 1;
  const columnsOf = async (table: string): Promise<string[]> => {
    const rows = await projection.rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '{schema}.${table}'::regclass AND attnum > 0
         AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    );
    return rows.map(({ name }) => name);
  };
  const copy = async (table: string, changed: Record<string, string>, from = ''): Promise<void> => {
    const columns = await columnsOf(table);
    const values = columns.map((name) => changed[name] ?? `t.${name}`);
    await projection.rows(`INSERT INTO {schema}.${table} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM {schema}.${table} t CROSS JOIN generate_series(1, ${copies}) k ${from}`);
  };
  const node = '(t.node # (k::bigint * 7919))';
  // Each copy of a report needs its own key.
  const reportOf = (run: string): string => `md5(t.report::text || '/' || k || '/' || ${run})::uuid`;
  await copy('nodes', {
    node,
    certname: `replace(t.certname, '-', '-' || lpad(k::text, 3, '0'))`,
    latest_report_hash: `replace(${reportOf('0').replaceAll('t.report', '(SELECT l.report FROM {schema}.latest_reports l WHERE l.node = t.node)')}::text, '-', '') || '00000000'`,
    // The copies with k = 1 have not reported for 3 hours, so they count as unreported.
    report_timestamp: `t.report_timestamp - make_interval(secs => k % 100 * 20) - CASE WHEN k = 1 THEN interval '3 hours' ELSE interval '0' END`,
  });
  for (const table of nodeTables) await copy(table, { node });
  const reportColumns = { node, report: reportOf('0'), hash: `replace(${reportOf('0')}::text, '-', '') || '00000000'` };
  const latest = 'WHERE t.report IN (SELECT report FROM {schema}.latest_reports)';
  await copy('reports', reportColumns, latest);
  await copy('event_counts', { node, report: reportOf('0') }, latest);
  await copy('resource_events', { node, report: reportOf('0') }, latest);
  await copy('latest_reports', { node, report: reportOf('0') });
  // Adds earlier runs of all nodes, most of them unchanged.
  const runs = hours * 2 - 2;
  if (runs > 0) {
    const columns = await columnsOf('reports');
    const shifted: Record<string, string> = {
      report: `md5(t.report::text || '/' || run)::uuid`,
      hash: `replace(md5(t.report::text || '/' || run), '-', '') || '00000000'`,
      status: `CASE WHEN hashint8(t.node + run) % 60 = 0 THEN 'changed' ELSE 'unchanged' END`,
      ...Object.fromEntries(
        ['start_time', 'end_time', 'producer_timestamp', 'receive_time'].map((name) => [
          name,
          `t.${name} - make_interval(mins => run * 30)`,
        ]),
      ),
    };
    await projection.rows(
      `INSERT INTO {schema}.reports (${columns.join(', ')})
      SELECT ${columns.map((name) => shifted[name] ?? `t.${name}`).join(', ')} FROM {schema}.reports t
      JOIN {schema}.latest_reports USING (report, node) CROSS JOIN generate_series(1, ${runs}) run`.replace(
        'USING (report, node)',
        'l ON l.report = t.report',
      ),
    );
  }
  for (const table of ['nodes', ...nodeTables, 'reports', 'event_counts', 'resource_events', 'latest_reports'])
    await projection.rows(`VACUUM (ANALYZE) {schema}.${table}`);
}

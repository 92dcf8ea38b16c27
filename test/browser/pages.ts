/** An address of each page, with things of the fleet that the service has. */
export interface PageAddress {
  readonly name: string;
  readonly path: string;
}

export async function pagesOf(url: string): Promise<readonly PageAddress[]> {
  const ask = async (query: string): Promise<Record<string, string>> => {
    const answer = await fetch(`${url}/pdb/query/v4?query=${encodeURIComponent(query)}`);
    const [row] = (await answer.json()) as readonly Record<string, string>[];
    if (row === undefined) throw new Error(`no row: ${query}`);
    return row;
  };
  const { certname: failed = '', latest_report_hash: report = '' } = await ask(
    'nodes { latest_report_status = "failed" order by certname limit 1 }',
  );
  const { certname: other = '' } = await ask('nodes { latest_report_status = "unchanged" order by certname limit 1 }');
  const { report: withFailure = '' } = await ask(
    'events[report] { status = "failure" and latest_report? = true order by certname limit 1 }',
  );
  const node = (tab = ''): string => `nodes/${encodeURIComponent(failed)}${tab}`;
  return [
    { name: 'overview', path: '' },
    { name: 'overview of 14 days as a table', path: '?window=14d&runs=table&by=class' },
    { name: 'nodes', path: 'nodes' },
    { name: 'nodes that nothing matches', path: 'nodes?status=failed&fact.role=none' },
    { name: 'node', path: node() },
    { name: 'history of a value', path: node('?path=os&window=14d') },
    { name: 'reports of a node', path: node('/reports') },
    { name: 'node as of an earlier time', path: node(`?as_of=${new Date().toISOString()}&kind=facts`) },
    { name: 'facts of a node', path: node('/facts?open=os') },
    { name: 'resources of a node', path: node('/resources?by=class&open=Chrony::Config') },
    { name: 'packages of a node', path: node('/packages?find=ssl') },
    { name: 'relations of a node', path: node('/relations?of=Class%5BChrony%5D') },
    { name: 'inputs of a node', path: node('/inputs') },
    { name: 'node that is unknown', path: 'nodes/nowhere.example.net' },
    { name: 'reports', path: 'reports' },
    { name: 'report', path: `reports/${withFailure}` },
    { name: 'logs of a report', path: `reports/${report}/logs?level=all` },
    { name: 'times of a report', path: `reports/${report}/times` },
    { name: 'events', path: 'events' },
    { name: 'changes of 14 days by type', path: 'events?status=success&window=14d&by=type' },
    { name: 'facts', path: 'facts' },
    { name: 'fact', path: 'facts/os.release.full' },
    { name: 'fact that is a tree', path: 'facts/os' },
    { name: 'packages', path: 'packages' },
    { name: 'package', path: 'packages/openssl' },
    { name: 'resources', path: 'resources' },
    { name: 'resource', path: 'resources/Package/openssl' },
    { name: 'compare', path: `compare?a=${encodeURIComponent(failed)}&b=${encodeURIComponent(other)}` },
    ...['resources', 'edges', 'packages'].map((part) => ({
      name: `${part} of two nodes`,
      path: `compare?a=${encodeURIComponent(failed)}&b=${encodeURIComponent(other)}&part=${part}`,
    })),
    {
      name: 'a node at two times',
      path: `compare?a=${encodeURIComponent(`${failed}@${new Date(Date.now() - 5_000).toISOString()}`)}&b=${encodeURIComponent(failed)}`,
    },
    { name: 'drift', path: 'drift' },
    { name: 'drift of packages', path: 'drift?by=os.name&part=packages' },
    {
      name: 'query',
      path: `query?q=${encodeURIComponent('nodes[certname, latest_report_status] { order by certname }')}`,
    },
    { name: 'nodes as of an earlier time', path: `nodes?as_of=${new Date().toISOString()}` },
    { name: 'operation', path: 'operation' },
    { name: 'settings', path: 'operation/settings' },
    { name: 'address of no page', path: 'nothing/here' },
  ];
}

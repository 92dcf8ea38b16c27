/**
 * The 37 queries of the benchmark: what dashboards, scripts and operators ask most. `path` is below /pdb/query/v4, `query` is
 * AST (an array) or PQL (text). `of` names what is in the fleet: a certname, the hash of one of its reports, times. `kind` says how the answer grows with the
 * fleet: `point` (one node or report), `page` (so many rows), `counter` (a few numbers), `filtered` (the few nodes in trouble)
 * should take as long for a large fleet as for a small one; a `list` has rows for most nodes, or many for each.
 */
export const operatorQueries = ({ certname, report, since, until }) => [
  { name: 'nodes: all', kind: 'list', path: 'nodes' },
  {
    name: 'nodes: a page',
    kind: 'page',
    path: 'nodes',
    limit: 50,
    offset: 100,
    orderBy: [{ field: 'report_timestamp', order: 'desc' }],
  },
  { name: 'nodes: one', kind: 'point', path: `nodes/${certname}` },
  { name: 'nodes: failed', kind: 'filtered', path: 'nodes', query: ['=', 'latest_report_status', 'failed'] },
  {
    name: 'nodes: unreported',
    kind: 'filtered',
    path: 'nodes',
    query: ['or', ['null?', 'report_timestamp', true], ['<', 'report_timestamp', since]],
  },
  { name: 'nodes: by a fact', kind: 'list', path: 'nodes', query: ['=', ['fact', 'osfamily'], 'Debian'] },
  {
    name: 'nodes: with a resource',
    kind: 'list',
    path: 'nodes',
    query: [
      'in',
      'certname',
      [
        'extract',
        'certname',
        ['select_resources', ['and', ['=', 'type', 'Package'], ['=', 'title', 'openssh-server']]],
      ],
    ],
  },
  {
    name: 'nodes: count by status',
    kind: 'counter',
    path: 'nodes',
    query: ['extract', [['function', 'count'], 'latest_report_status'], ['group_by', 'latest_report_status']],
  },
  { name: 'facts: by name', kind: 'list', path: 'facts/kernelrelease' },
  { name: 'facts: by name and value', kind: 'list', path: 'facts/osfamily/Debian' },
  { name: 'facts: of a node', kind: 'point', path: `nodes/${certname}/facts` },
  { name: 'fact-names', kind: 'list', path: 'fact-names' },
  { name: 'fact-paths', kind: 'list', path: 'fact-paths' },
  {
    name: 'facts: count by value',
    kind: 'counter',
    path: 'facts',
    query: [
      'extract',
      ['value', ['function', 'count']],
      ['=', 'name', 'operatingsystemrelease'],
      ['group_by', 'value'],
    ],
  },
  {
    name: 'fact-contents: by path',
    kind: 'list',
    path: 'fact-contents',
    query: ['=', 'path', ['os', 'release', 'major']],
  },
  {
    name: 'fact-contents: by path expression',
    kind: 'list',
    path: 'fact-contents',
    query: ['~>', 'path', ['networking', 'interfaces', '.*', 'ip']],
  },
  {
    name: 'inventory: by a fact',
    kind: 'page',
    path: 'inventory',
    query: ['=', 'facts.os.family', 'Debian'],
    limit: 20,
  },
  {
    name: 'inventory: by two facts',
    kind: 'list',
    path: 'inventory',
    query: ['extract', ['certname'], ['and', ['=', 'facts.os.family', 'Debian'], ['~', 'facts.kernelrelease', '^5']]],
  },
  { name: 'factset: one', kind: 'point', path: `factsets/${certname}` },
  { name: 'catalog: one', kind: 'point', path: `catalogs/${certname}` },
  { name: 'resources: of a node', kind: 'point', path: 'resources', query: ['=', 'certname', certname] },
  { name: 'resources: by type', kind: 'page', path: 'resources/User', limit: 500 },
  {
    name: 'resources: count by type',
    kind: 'counter',
    path: 'resources',
    query: ['extract', ['type', ['function', 'count']], ['group_by', 'type']],
  },
  {
    name: 'resources: title by expression',
    kind: 'list',
    path: 'resources',
    query: ['and', ['=', 'type', 'Service'], ['~', 'title', '^ssh']],
  },
  {
    name: 'resources: exported',
    kind: 'list',
    path: 'resources',
    query: ['and', ['=', 'type', 'Host'], ['=', 'exported', true]],
  },
  { name: 'edges: of a node', kind: 'point', path: 'edges', query: ['=', 'certname', certname] },
  {
    name: 'reports: the newest',
    kind: 'page',
    path: 'reports',
    query: ['extract', ['certname', 'hash', 'status', 'receive_time']],
    limit: 25,
    orderBy: [{ field: 'receive_time', order: 'desc' }],
  },
  {
    name: 'reports: of a node',
    kind: 'point',
    path: 'reports',
    query: ['extract', ['hash', 'status', 'end_time'], ['=', 'certname', certname]],
  },
  {
    name: 'reports: count by status',
    kind: 'counter',
    path: 'reports',
    query: ['extract', [['function', 'count'], 'status'], ['group_by', 'status']],
  },
  // PuppetDB 7.12.1 answers reports/<hash>/events with 500, whatever its parameters.
  { name: 'events: of a report', kind: 'point', path: 'events', query: ['=', 'report', report] },
  { name: 'events: failed', kind: 'page', path: 'events', query: ['=', 'status', 'failure'], limit: 200 },
  {
    name: 'events: in a window',
    kind: 'page',
    path: 'events',
    query: ['and', ['>', 'timestamp', since], ['<', 'timestamp', until]],
    limit: 200,
  },
  {
    name: 'events: of latest reports',
    kind: 'page',
    path: 'events',
    query: ['and', ['=', 'latest_report?', true], ['=', 'status', 'success']],
    limit: 200,
  },
  {
    name: 'event-counts: by node',
    kind: 'list',
    path: 'event-counts',
    query: ['=', 'latest_report?', true],
    more: { summarize_by: 'certname' },
  },
  {
    name: 'aggregate-event-counts',
    kind: 'counter',
    path: 'aggregate-event-counts',
    query: ['=', 'latest_report?', true],
    more: { summarize_by: 'resource' },
  },
  {
    name: 'PQL: nodes with a package',
    kind: 'list',
    pql: 'nodes[certname] { resources { type = "Package" and title = "openssh-server" } }',
  },
  {
    name: 'PQL: facts of nodes with a failed report',
    kind: 'filtered',
    pql: 'facts[certname, name, value] { name = "role" and certname in reports[certname] { latest_report? = true and status = "failed" } }',
  },
];

/** The path and parameters of one query. */
export function pathOf({ path, query, pql, limit, offset, orderBy, more = {} }) {
  const parameters = new URLSearchParams(more);
  if (query !== undefined) parameters.set('query', JSON.stringify(query));
  if (pql !== undefined) parameters.set('query', pql);
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (offset !== undefined) parameters.set('offset', String(offset));
  if (orderBy !== undefined) parameters.set('order_by', JSON.stringify(orderBy));
  const below = pql === undefined ? `/${path}` : '';
  return `/pdb/query/v4${below}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

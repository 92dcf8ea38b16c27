/** Examples of queries for the OpenAPI document. Their answers contain the data in the examples of commands. */
import type { ApiContext, Example, ExampleValues } from '#openapi';
import type { Route } from '../routes';

export const exampleVariables = ({ certname, report }: ExampleValues): Readonly<Record<string, string>> => ({
  certname,
  report,
  environment: 'production',
  producer: 'puppet.example.com',
  name: 'kernel',
  value: 'Linux',
  type: 'File',
  title: '/etc/ntp.conf',
});

const json = JSON.stringify;

type Examples = Readonly<Record<string, Example>>;

const byEntity = ({ certname }: ExampleValues): Readonly<Record<string, Examples>> => ({
  nodes: {
    failed: {
      summary: 'Nodes whose last run failed',
      parameters: { query: json(['=', 'latest_report_status', 'failed']), order_by: json([{ field: 'certname' }]) },
    },
    page: {
      summary: 'The first twenty nodes, and the number of all nodes',
      parameters: { limit: 20, offset: 0, include_total: true, order_by: json([{ field: 'certname', order: 'asc' }]) },
    },
    plan: { summary: 'The plan of a query', parameters: { explain: 'analyze' } },
  },
  facts: {
    one_fact: { summary: 'One fact of all nodes', parameters: { query: json(['=', 'name', 'kernel']) } },
    counted: {
      summary: 'The number of nodes with each value of a fact',
      parameters: {
        query: json(['extract', [['function', 'count'], 'value'], ['=', 'name', 'kernel'], ['group_by', 'value']]),
      },
    },
  },
  inventory: {
    by_fact: {
      summary: 'Nodes by a value within a fact',
      parameters: { query: json(['=', 'facts.os.family', 'Debian']) },
    },
  },
  resources: {
    files: {
      summary: 'Files of one node',
      parameters: { query: json(['and', ['=', 'type', 'File'], ['=', 'certname', certname]]) },
    },
  },
  reports: {
    newest: { summary: 'The newest report of each node', parameters: { query: json(['=', 'latest_report?', true]) } },
  },
  events: {
    failures: { summary: 'Events that failed', parameters: { query: json(['=', 'status', 'failure']) } },
  },
  'event-counts': {
    failures: { summary: 'Classes with failures', parameters: { counts_filter: json(['>', 'failures', 0]) } },
  },
  package_inventory: {
    one_package: {
      summary: 'Where a package is installed',
      parameters: { query: json(['=', 'package_name', 'openssl']) },
    },
  },
});

const formats: Examples = {
  as_csv: { summary: 'As CSV', parameters: { format: 'csv' } },
  as_ndjson: { summary: 'As lines of JSON', parameters: { format: 'ndjson' } },
};

const rootExamples: Examples = {
  pql: { summary: 'PQL', parameters: { query: 'nodes[certname] { latest_report_status = "changed" }' } },
  ast: {
    summary: 'AST',
    parameters: { query: json(['from', 'nodes', ['extract', ['certname'], ['=', 'latest_report_status', 'changed']]]) },
  },
  translated: {
    summary: 'PQL, translated to AST',
    parameters: { query: 'nodes { certname ~ "web" }', ast_only: true },
  },
};

export function furtherExamples(route: Route, { examples, strict }: ApiContext): Examples {
  if (route.entity === undefined) {
    const csv = { ...rootExamples['pql']!.parameters, format: 'csv' };
    return { ...rootExamples, ...(strict ? {} : { as_csv: { summary: 'PQL, answered as CSV', parameters: csv } }) };
  }
  if (route.answer !== 'list' || route.path.includes('/')) return {};
  const own = byEntity(examples)[route.entity] ?? {};
  return route.entity === 'nodes' && !strict ? { ...own, ...formats } : own;
}

import { isFault } from '#fault';
import { answerFault } from '#http';
import { defaultLimits, type Limits } from '#limits';
import { compileQuery } from '../compile';
import { matchRoute } from './match-route';
import { readRequest } from './read-request';
import { parametersOfUrl, RequestParameters } from './request-parameters';
import { parseAst } from '../ast/parse-ast';

/** Very high limits, so that the inputs reach the later steps. */
const limits: Limits = { ...defaultLimits, queryName: 1e9, queryPathSteps: 1e9, queryColumns: 1e9, queryRegex: 1e9 };
const target = { schema: 'g', edition: 'full', dialect: 'neutral', limits } as const;
const mostCharacters = 4_096;

const long = 'x'.repeat(100_000);
const longList = `[${Array(2_000).fill('"xyz"').join(',')}]`;
const longNumber = '9'.repeat(100_000);
const tokens = [
  long,
  `${long}\n${long}`,
  `"${long}"`,
  longNumber,
  `${longNumber}.5`,
  longList,
  '"\\q',
  `{"${long}":1}`,
];

const values = [JSON.stringify(long), longNumber, longList, `{"${long}":${longList}}`, `[[${longList}]]`];
const nodeQueries = [
  ...values,
  ...values.map((value) => `[${value}]`),
  ...values.map((value) => `[${value},"certname","a"]`),
  ...['=', '!=', '<', '~', '~>', 'null?', 'in', 'not', 'and', 'extract', 'subquery', 'from'].flatMap((operator) =>
    values.flatMap((value) => [
      `["${operator}",${value}]`,
      `["${operator}",${value},"a"]`,
      `["${operator}",${value},${value}]`,
      `["${operator}",["fact",${value}],${value}]`,
      `["${operator}","certname",${value}]`,
      `["${operator}","report_timestamp",${value}]`,
      `["${operator}","node_state",${value}]`,
      `["${operator}","certname",[${value}]]`,
      `["${operator}","certname",["array",${value}]]`,
      `["${operator}",${longList},["array",[${value}]]]`,
      `["${operator}","certname",["from",${value}]]`,
      `["${operator}","certname",["from","facts",["extract",${value}]]]`,
      `["${operator}","certname",["extract",${value},[${value}]]]`,
      `["${operator}","certname",["group_by",${value}]]`,
      `["${operator}",[["function",${value},"certname"]]]`,
      `["${operator}",[["function","count",${value}]],["group_by",${value}]]`,
    ]),
  ),
];
const otherQueries: [string, string][] = [
  ...values.flatMap((value): [string, string][] => [
    ['fact-contents', `["=","path",${value}]`],
    ['fact-contents', `["~>","path",[${value}]]`],
    ['inventory', `["=","facts.${long}",${value}]`],
    ['inventory', `["in","facts.${long}",["from","facts",["extract","value"]]]`],
    ['inventory', `["extract",[["function","to_string","facts.${long}","Y"]]]`],
    ['inventory', `["extract",["facts.${long}"],["group_by",["certname"]]]`],
    ['inventory', `["extract",["certname",["function","count"]],["group_by","facts.${long}"]]`],
    ['resources', `["=","line",${value}]`],
    ['resources', `["=","exported",${value}]`],
    ['resources', `["=",["parameter",${value}],${value}]`],
    ['events', `["=","timestamp",${value}]`],
  ]),
];

/** Returns the message of the fault that `work` throws, or undefined if it throws none. */
function refusal(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (isFault(error)) return answerFault(error).body;
    throw error;
  }
}

function fromUrl(path: string, parameters: Record<string, string>): () => void {
  return () => {
    const given = parametersOfUrl(`/x?${new URLSearchParams(parameters).toString()}`, limits);
    for (const request of readRequest(matchRoute(path)!, given).requests) compileQuery(request, target);
  };
}

const posted = (path: string, body: string) => (): void => {
  const given = new RequestParameters(parseAst(body, limits) as ReadonlyMap<string, never>, true, limits);
  for (const request of readRequest(matchRoute(path)!, given).requests) compileQuery(request, target);
};

/** Returns the cases whose message is too long, and the number of refused cases. */
function tooLong(cases: Iterable<[string, () => void]>): { found: string[]; refused: number } {
  const found: string[] = [];
  let refused = 0;
  for (const [name, work] of cases) {
    const text = refusal(work);
    if (text !== undefined) refused++;
    if ((text ?? '').length > mostCharacters) found.push(`${name.slice(0, 100)}: ${text?.length}`);
  }
  return { found, refused };
}

test('refusals of JSON queries are short', () => {
  const cases = [...nodeQueries.map((query): [string, string] => ['nodes', query]), ...otherQueries];
  const { found, refused } = tooLong(cases.map(([path, query]) => [query, fromUrl(path, { query })]));
  expect(found).toEqual([]);
  expect(refused).toBeGreaterThan(cases.length / 2);
});

test('refusals of texts that are neither JSON nor PQL are short', () => {
  const before = [
    '',
    '[',
    '["=",',
    '{',
    'nodes',
    'nodes{',
    'nodes[',
    'nodes{certname ',
    'nodes{certname = ',
    'nodes{facts.',
  ];
  const cases = before.flatMap((start) =>
    tokens.flatMap((token) => ['', ' = 1}', '}', '[] []', '(', ' in '].map((end) => `${start}${token}${end}`)),
  );
  const { found, refused } = tooLong(cases.map((query) => [query, fromUrl('', { query })]));
  expect(found).toEqual([]);
  expect(refused).toBeGreaterThan(cases.length / 2);
});

test('refusals of parameters are short', () => {
  const names = ['limit', 'offset', 'order_by', 'include_total', 'timeout', 'explain', 'pretty', 'origin', long];
  const counted = ['summarize_by', 'count_by', 'counts_filter', 'distinct_start_time'];
  const terms = values.flatMap((value) => [`[${value}]`, `[{"field":${value}}]`, `[{"field":"a","order":${value}}]`]);
  const filters = values.flatMap((value) => [`[${value}]`, `[">",${value},1]`, `[">","failures",${value}]`]);
  const cases: [string, () => void][] = [
    ...names.flatMap((name) =>
      [long, ...terms].map((value): [string, () => void] => [name, fromUrl('nodes', { [name]: value })]),
    ),
    ...names.flatMap((name) =>
      values.map((value): [string, () => void] => [name, posted('nodes', `{"${name}":${value}}`)]),
    ),
    ...counted.flatMap((name) =>
      [long, ...filters].map((value): [string, () => void] => [
        name,
        fromUrl('event-counts', {
          summarize_by: 'certname',
          distinct_resources: 'true',
          distinct_end_time: long,
          [name]: value,
        }),
      ]),
    ),
    ...filters.map((value): [string, () => void] => [
      'counts_filter',
      fromUrl('event-counts', { summarize_by: 'certname', counts_filter: value }),
    ]),
    ['count_by', fromUrl('event-counts', { summarize_by: 'certname', count_by: long })],
    ['twice', () => parametersOfUrl(`/x?${long}=1&${long}=2`, limits)],
  ];
  const { found, refused } = tooLong(cases);
  expect(found).toEqual([]);
  expect(refused).toBeGreaterThan(cases.length / 2);
});

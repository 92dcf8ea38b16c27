import { Fault } from '#fault';
import { defaultLimits } from '#limits';
import { type AstJson, NumberText } from '../ast/json';
import { parseAst } from '../ast/parse-ast';
import { strictLanguage } from '../operators/language';
import { matchRoute } from './match-route';
import { readRequest, type ReadRequest } from './read-request';
import { parametersOfUrl, RequestParameters } from './request-parameters';

const get = (path: string, parameters: Record<string, string> = {}): ReadRequest =>
  readRequest(matchRoute(path)!, parametersOfUrl(`/x?${new URLSearchParams(parameters).toString()}`, defaultLimits));
const post = (path: string, body: string): ReadRequest =>
  readRequest(
    matchRoute(path)!,
    new RequestParameters(parseAst(body) as ReadonlyMap<string, AstJson>, true, defaultLimits),
  );

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).kind).toBe('malformed');
    return (error as Fault).message;
  }
  throw new Error('was accepted');
}

test('the path and the query both restrict the rows', () => {
  const [request] = get('nodes/web01/facts/kernel', { query: '["=","value","Linux"]' }).requests;
  expect(request).toMatchObject({
    entity: 'facts',
    restrict: ['and', ['=', 'certname', 'web01'], ['=', 'name', 'kernel']],
    ast: ['=', 'value', 'Linux'],
  });
  expect(request?.scope).toBeUndefined();
});

test('a single record is shown even if its node is inactive', () => {
  expect(get('nodes/web01').requests[0]).toMatchObject({ restrict: ['=', 'certname', 'web01'], scope: 'all' });
});

test('the root accepts PQL, a JSON list, and a text with a JSON list', () => {
  const ast = ['from', 'nodes', ['=', 'certname', 'a']];
  expect(get('', { query: 'nodes { certname = "a" }' }).query).toMatchObject({ ast, language: 'pql' });
  expect(get('', { query: ' ["from","nodes",["=","certname","a"]]' }).query).toMatchObject({ ast, language: 'json' });
  expect(post('', '{"query":["from","nodes",["=","certname","a"]]}').query?.ast).toEqual(ast);
  expect(refusal(() => get(''))).toBe("Missing required query parameter 'query'");
  expect(refusal(() => post('', '{}'))).toContain('Your initial query must be of the form');
  expect(refusal(() => get('', { query: '' }))).toContain('PQL parse error');
});

test('the strict language has no format and no additions to PQL', () => {
  const strict = (path: string, query: string): (() => ReadRequest) => {
    const parameters = parametersOfUrl(`/x?${query}`, defaultLimits);
    return () => readRequest(matchRoute(path)!, parameters, strictLanguage);
  };
  expect(get('nodes', { format: 'csv' }).format).toBe('csv');
  expect(refusal(strict('nodes', 'format=csv'))).toBe("Unsupported query parameter 'format'");
  expect(refusal(strict('nodes', 'as_of=yesterday'))).toBe("Unsupported query parameter 'as_of'");
  expect(refusal(strict('', 'query=nodes {} as of "yesterday"'))).toContain("found 'as'");
  expect(get('', { query: 'nodes[certname] { group by certname limit 1 }' }).query?.language).toBe('pql');
  expect(refusal(strict('', 'query=nodes[certname]{group by certname limit 1}'))).toContain("found 'limit'");
});

test('every path takes a moment, in a parameter or in PQL, but not in both', () => {
  const moment = { kind: 'relative', seconds: -86_400 };
  for (const path of ['', 'nodes', 'nodes/web01', 'reports/ab/logs', 'event-counts', 'aggregate-event-counts']) {
    const query = {
      ...(path === '' && { query: 'nodes {}' }),
      ...(path.endsWith('counts') && { summarize_by: 'certname' }),
    };
    expect(get(path, { ...query, as_of: 'yesterday' }).moment).toEqual(moment);
    expect(get(path, query).moment).toBeUndefined();
  }
  expect(get('', { query: 'nodes {} as of "1 day ago"' }).moment).toEqual(moment);
  expect(post('nodes', '{"as_of":"now() - 24h"}').moment).toEqual(moment);
  expect(refusal(() => get('', { query: 'nodes {} as of "1 day ago"', as_of: '1 day ago' }))).toContain('given twice');
  expect(refusal(() => get('nodes', { as_of: 'soon' }))).toBe('as_of does not know the moment "soon".');
  expect(refusal(() => get('nodes', { as_of: '' }))).toBe('as_of does not know the moment "".');
  expect(refusal(() => post('nodes', '{"as_of":["now"]}'))).toContain('expected a text');
});

test('absent, empty and null queries select all rows', () => {
  for (const read of [
    get('nodes'),
    get('nodes', { query: '' }),
    get('nodes', { query: 'null' }),
    post('nodes', '{"query":null}'),
  ]) {
    expect(read.requests[0]?.ast).toBeUndefined();
  }
});

test('paging from a URL and from a body', () => {
  const paging = { limit: 3, offset: 1, orderBy: [{ field: 'certname', order: 'desc' }], includeTotal: true };
  const orderBy = '[{"field":"certname","order":"DESC"}]';
  expect(
    get('nodes', { limit: '3', offset: '+1', order_by: orderBy, include_total: 'TRUE' }).requests[0]?.paging,
  ).toEqual(paging);
  expect(
    post('nodes', `{"limit":3,"offset":"1","order_by":${orderBy},"include_total":true}`).requests[0]?.paging,
  ).toEqual(paging);
  expect(get('nodes', { order_by: '', include_total: 'no' }).requests[0]?.paging).toEqual({});
});

test.each([
  ['limit', '0', "Illegal value '0' for :limit; expected a positive non-zero integer."],
  ['limit', '', "Illegal value '' for :limit; expected a positive non-zero integer."],
  ['limit', '1.5', "Illegal value '1.5' for :limit; expected a positive non-zero integer."],
  [
    'limit',
    '99999999999999999999',
    "Illegal value '99999999999999999999' for :limit; expected a positive non-zero integer.",
  ],
  ['offset', '-3', "Illegal value '-3' for :offset; expected a non-negative integer."],
  ['order_by', 'certname', "Illegal value 'certname' for :order_by; expected a JSON array of maps."],
  ['order_by', '["certname"]', `Illegal value '["certname"]' for :order_by; expected an array of maps.`],
  ['order_by', '{"field":"a"}', `Illegal value '{:field "a"}' for :order_by; expected an array of maps.`],
  ['order_by', '[{"order":"asc"}]', `Illegal value '{:order "asc"}' in :order_by; missing required key field.`],
  ['order_by', '[{"field":"a","x":1}]', `Illegal value '{:field "a", :x 1}' in :order_by; unknown key 'x'.`],
  [
    'order_by',
    '[{"field":"a","order":"up"}]',
    `Illegal value '{:field "a", :order "up"}' in :order_by; 'order' must be either 'asc' or 'desc'`,
  ],
  ['nope', '1', "Unsupported query parameter 'nope'"],
  ['explain', 'full', "Illegal value 'full' for :explain; expected `analyze`."],
  ['timeout', '12.5', "Illegal value '12.5' for :timeout; expected a positive whole number of seconds."],
  ['timeout', '0', "Illegal value '0' for :timeout; expected a positive whole number of seconds."],
  ['summarize_by', 'certname', "Unsupported query parameter 'summarize_by'"],
  ['query', '5', 'The query must be a JSON array such as ["=", "certname", "web01"], or a text that holds one.'],
])('%s=%s is refused', (name, value, text) => expect(refusal(() => get('nodes', { [name]: value }))).toBe(text));

test('optional fields are shown only on request', () => {
  const read = get('factsets', { include_package_inventory: 'true', include_facts_expiration: 'TRUE' });
  expect(read.requests[0]?.options).toEqual({ includeFactsExpiration: true, includePackageInventory: true });
  expect(get('factsets', { include_package_inventory: 'no' }).requests[0]?.options).toEqual({});
});

test('a parameter that is given twice is refused', () => {
  expect(refusal(() => parametersOfUrl('/x?limit=1&limit=2', defaultLimits))).toContain('more than once');
});

test('aggregated counts have one request for each subject', () => {
  expect(refusal(() => get('event-counts'))).toBe("Missing required query parameter 'summarize_by'");
  expect(refusal(() => get('event-counts', { summarize_by: 'certname,resource' }))).toContain("'certname,resource'");
  expect(refusal(() => get('aggregate-event-counts', { summarize_by: 'certname', limit: '1' }))).toBe(
    "Unsupported query parameter 'limit'",
  );
  const aggregated = get('aggregate-event-counts', {
    summarize_by: 'certname,resource',
    counts_filter: '[">","failures",0]',
  });
  expect(aggregated.requests.map(({ options }) => options)).toEqual([
    { summarizeBy: 'certname', countsFilter: ['>', 'failures', new NumberText('0')] },
    { summarizeBy: 'resource', countsFilter: ['>', 'failures', new NumberText('0')] },
  ]);
});

test('distinct resources need all three parameters', () => {
  const window = { distinct_start_time: '2024-01-01', distinct_end_time: '2024-01-02T10:00:00.5Z' };
  expect(refusal(() => get('events', window))).toContain('must accompany');
  expect(refusal(() => get('events', { distinct_resources: 'true' }))).toContain('requires accompanying');
  expect(refusal(() => get('events', { ...window, distinct_resources: 'true', distinct_end_time: 'x' }))).toContain(
    'valid datetime strings: 2024-01-01 x',
  );
  expect(get('events', { ...window, distinct_resources: 'true' }).requests[0]?.options).toEqual({
    distinctResources: { start: '2024-01-01T00:00:00.000Z', end: '2024-01-02T10:00:00.500Z' },
  });
  expect(get('events', { ...window, distinct_resources: 'false' }).requests[0]?.options).toEqual({});
});

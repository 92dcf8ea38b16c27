/** Bodies that hostile clients send besides poisons. They are created before the clients begin. */
import { gzipSync } from 'node:zlib';
import { make, type Recipe, type Sized } from '../fuzz/size/recipe';

const root = '/pdb/query/v4';
const alone: Sized = ['the condition alone', 1];
const ast = (entity: string, base: Sized, whole: Sized = alone, wraps: readonly Sized[] = []): Recipe => ({
  family: 'ast',
  entity,
  base,
  wraps,
  whole,
});
const pql = (entity: string, base: Sized, wraps: readonly Sized[] = []): Recipe => ({
  family: 'pql',
  entity,
  base,
  wraps,
  whole: alone,
});
const one: Sized = ['a value of n characters', 1];

/** Wide and deep bodies, in sizes that once stopped a service or made it fail. */
const recipes: readonly Recipe[] = [
  ast('nodes', ['digit steps of a fact', 24]),
  ast('inventory', ['n digit steps', 24]),
  ast('inventory', ['n unclosed quoted steps', 60_000]),
  ast('inventory', ['n dots', 60_000]),
  ast('inventory', ['n indexes and more', 40_000]),
  ast('inventory', ['n match steps', 20_000]),
  pql('inventory', ['n unclosed match steps', 20_000]),
  pql('inventory', ['n plain steps', 60_000]),
  ast('nodes', ['n ~ under or', 16_000]),
  ast('nodes', ['n = under and', 16_000]),
  ast('nodes', ['in n rows of 3 columns', 20_000]),
  ast('nodes', ['in n distinct values', 90_000]),
  ast('nodes', one, ['n equal columns', 20_000]),
  ast('nodes', one, ['n dotted columns', 20_000]),
  ast('nodes', one, alone, [['n times not', 20_000]]),
  ast('nodes', one, alone, [['n queries inside one another', 100]]),
  ast('nodes', one, alone, [['and in or, n deep', 240]]),
  ast('nodes', ['a regex of n nested groups', 4_000]),
  ast('nodes', ['a regex of n bounds', 4_000]),
  ast('nodes', ['a map n deep as a value', 100_000]),
  ast('nodes', ['n half surrogates', 100_000]),
  pql('nodes', ['n and without conditions', 100_000]),
  pql('nodes', ['a text of n characters', 5_000_000]),
  { family: 'ast text', shape: ['n open brackets', 5_000_000] },
  { family: 'ast text', shape: ['n bad escapes', 2_000_000] },
  { family: 'pql text', shape: ['n open parentheses', 1_000_000] },
];

export interface PreparedRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const zeros = gzipSync(Buffer.alloc(100_000_000));
const blanks = gzipSync(Buffer.alloc(19_000_000, ' '));
const gzip = { 'content-encoding': 'gzip' };

const nothing = Buffer.alloc(0);
const get = (path: string, headers: Readonly<Record<string, string>> = {}): PreparedRequest => ({
  name: path.slice(0, 80),
  method: 'GET',
  path,
  headers,
  body: nothing,
});
const post = (
  name: string,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): PreparedRequest => ({
  name,
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

export const wideQueries = (): PreparedRequest[] =>
  recipes.map((recipe) => {
    const made = make(recipe);
    if (made.to !== 'query') throw new Error(`no query: ${JSON.stringify(recipe)}`);
    return post(
      JSON.stringify(recipe),
      `${root}/${made.path}`.replace(/\/$/, ''),
      Buffer.from(JSON.stringify(made.parameters)),
    );
  });

const query = (entity: string, text: unknown): string =>
  `${root}/${entity}?query=${encodeURIComponent(JSON.stringify(text))}`;

const page = (path: string, parameters: Readonly<Record<string, unknown>>): string =>
  `/nodeledger/v1/${path}?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()}`;
const manyFields = [
  'status',
  'environment',
  ...['kernel', 'os.name', 'os.release.full', 'role'].map((name) => `fact:${name}`),
];

/** Requests of the console for as much as possible. */
const heavyPages = (): PreparedRequest[] => [
  get(page('facets', { fields: manyFields, text: '.' })),
  get(page('node-list', { limit: 1000, order: '-fact:role', facts: ['os', 'networking', 'processors'], text: '.' })),
  get(page('node-list', { where: Object.fromEntries(manyFields.slice(2).map((name) => [name, [null, 'x']])) })),
  get(page('failures', { limit: 100, unreported_after: '31d' })),
  get(page('search', { q: 'a', limit: 50 })),
  get(page('runs', { window: '14d' })),
  post(
    'a long query to check',
    '/nodeledger/v1/query-check',
    Buffer.from(JSON.stringify({ query: `nodes { ${'!('.repeat(400)}` })),
  ),
  post('a bomb to check', '/nodeledger/v1/query-check', zeros, gzip),
];

/** Valid requests for as much as possible. */
export const heavyQueries = (): PreparedRequest[] => [
  ...[
    'catalogs',
    'resources',
    'events',
    'edges',
    'facts',
    'fact-contents',
    'factsets',
    'reports',
    'package-inventory',
  ].map((entity) => get(`${root}/${entity}`)),
  get(`${root}/resources`, { 'accept-encoding': 'gzip' }),
  get(`${root}/catalogs?pretty=true`),
  get(`${root}/resources?include_total=true&limit=10&order_by=${encodeURIComponent('[{"field":"title"}]')}`),
  get(query('facts', ['~', 'value', '(a|b|c)*.*(d|e|f)*.*x$'])),
  get(query('fact-contents', ['~>', 'path', ['.*', '.*a.*', '.*']])),
  get(query('resources', ['~', 'title', '.*a.*b.*c.*d'])),
  get(
    query('events', [
      'extract',
      [['function', 'count'], 'resource_title'],
      ['~', 'message', '.'],
      ['group_by', 'resource_title'],
    ]),
  ),
  ...heavyPages(),
  get(`${root}/event-counts?summarize_by=resource`),
  get(`${root}/aggregate-event-counts?summarize_by=resource,certname,containing_class`),
];

/** Bodies that are small when compressed and large when inflated, or that declare a much larger size. */
export const bombQueries = (): PreparedRequest[] => [
  post('a query bomb', `${root}/nodes`, zeros, gzip),
  post('blanks below the limit', `${root}/nodes`, blanks, gzip),
  post('two members', `${root}/nodes`, Buffer.concat([blanks, blanks]), gzip),
  post('half a bomb', `${root}/nodes`, zeros.subarray(0, zeros.length / 2), gzip),
  post('no gzip', `${root}/nodes`, Buffer.from('{"query": null}'), gzip),
  post('an agent report bomb', '/nodeledger/v1/agent-reports', zeros, gzip),
  post('a command of the old form, a bomb', '/pdb/cmd/v1', zeros, gzip),
  get(`${root}/nodes?query=${'x'.repeat(300_000)}`),
  get(`${root}/nodes?query=${'%5B'.repeat(80_000)}`),
];

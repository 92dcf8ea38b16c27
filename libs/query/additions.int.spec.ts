/** Tests the additions to PuppetDB's query language, in JSON and in PQL, and that strict queries refuse all of them. */
import { isFault } from '#fault';
import { event, factset, report } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { parseAst } from './ast/parse-ast';
import { type CompileTarget, compileQuery } from './compile';
import { type Language, fullLanguage, strictLanguage } from './operators/language';
import { parsePql } from './pql';

let bench: ProjectionBench;

const minute = 60_000;
const hour = 60 * minute;
const before = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Returns a report that is `ms` milliseconds old. */
const reported = (certname: string, ms: number, events: unknown[], over: Record<string, unknown> = {}) => {
  const time = before(ms);
  return report(certname, events, { producer_timestamp: time, start_time: time, end_time: time, ...over });
};
const metric = (category: string, name: string, value: unknown): unknown => ({ category, name, value });

const kernels = { web1: '5.4.0-148-generic', web2: '5.10.0-28-amd64', db1: 'unknown' } as const;
/** Triples of name, version and provider for each node. */
const packages = {
  web1: [
    ['openssl', '3.0.9~rc1-1', 'apt'],
    ['facter', '4.2.0.rc1', 'gem'],
    ['pytz', '2024.1', 'pip'],
  ],
  web2: [
    ['openssl', '1:3.0.7-16.el9', 'dnf'],
    ['facter', '4.10.0', 'gem'],
    ['pytz', '1!2.0', 'pip'],
  ],
  db1: [
    ['openssl', '3.0.11-1~deb12u2', 'apt'],
    ['openssl', '3.0.9-rc1', 'other'],
  ],
} as const;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  for (const [certname, role, environment] of [
    ['web1', 'Web', 'production'],
    ['web2', 'web', 'production'],
    ['db1', 'DB', 'staging'],
  ] as const) {
    const producer_timestamp = before(hour);
    await bench.submit('replace facts', certname, {
      payload: factset(
        certname,
        { role, os: { family: 'Debian' }, kernelrelease: kernels[certname], odd: certname === 'web1' ? ['6.1'] : 6.1 },
        { environment, producer_timestamp, package_inventory: packages[certname] },
      ),
    });
  }
  const slow = [metric('time', 'config_retrieval', 12.5), metric('resources', 'failed', 2)];
  const quick = [
    metric('time', 'config_retrieval', 0.75),
    metric('time', 'largest', 1e308),
    metric('time', 'least', 5e-324),
  ];
  await bench.submit('store report', 'web1', {
    payload: reported('web1', 10 * minute, [event('mode'), event('owner')], {
      metrics: slow,
    }),
  });
  await bench.submit('store report', 'web2', {
    payload: reported('web2', 3 * hour, [event('mode')], { metrics: quick }),
  });
  await bench.submit('store report', 'db1', {
    payload: reported('db1', 30 * hour, [event('ensure')], {
      environment: 'staging',
      metrics: [],
    }),
  });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
});
afterAll(() => bench.close());

const target = (language: Language): CompileTarget => ({
  schema: bench.generation.schema,
  edition: 'full',
  dialect: 'neutral',
  language,
});

/** Returns the rows of a query at the root. The query is in PQL or in JSON. */
async function rows(query: string, language = fullLanguage): Promise<unknown[]> {
  const isJson = query.startsWith('[');
  const ast = isJson ? parseAst(query) : parsePql(query, undefined, language);
  const compiled = compileQuery({ ast, ...(isJson ? {} : { pql: query }) }, target(language));
  return (await bench.db.query<{ row: string }>(compiled.rows)).map(({ row }) => JSON.parse(row) as unknown);
}

async function refusal(query: string, language = fullLanguage): Promise<{ message: string; hint?: string }> {
  try {
    await rows(query, language);
  } catch (error) {
    if (isFault(error) && error.kind === 'malformed')
      return { message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
    throw error;
  }
  throw new Error('accepted');
}

const names = (...all: string[]): unknown[] => all.map((certname) => ({ certname }));

/** Each case is a query in PQL, the same query in JSON, and the answer that both must get. */
const cases: readonly [pql: string, json: string, answer: unknown[], only?: 'in PQL only'][] = [
  [
    'nodes[certname] { report_timestamp < now() - 2h order by certname }',
    '["from","nodes",["extract",["certname"],["<","report_timestamp",["-",["now"],"2h"]]],["order_by",["certname"]]]',
    names('db1', 'web2'),
  ],
  [
    'nodes[certname] { report_timestamp > "2 hours ago" }',
    '["from","nodes",["extract",["certname"],[">","report_timestamp","2 hours ago"]]]',
    names('web1'),
  ],
  [
    'nodes[certname] { !(report_timestamp < now()-1d) and report_timestamp <= now() + 5 minutes order by certname }',
    '["from","nodes",["extract",["certname"],["and",["not",["<","report_timestamp",["-",["now"],"1d"]]],["<=","report_timestamp",["+",["now"],"5m"]]]],["order_by",["certname"]]]',
    names('web1', 'web2'),
  ],
  [
    'nodes[certname] { certname in reports[certname] { end_time >= now() } }',
    '["from","nodes",["extract",["certname"],["in","certname",["from","reports",["extract",["certname"],[">=","end_time",["now"]]]]]]]',
    [],
  ],
  [
    'nodes[certname] { certname ~* "^WEB" order by certname }',
    '["from","nodes",["extract",["certname"],["~*","certname","^WEB"]],["order_by",["certname"]]]',
    names('web1', 'web2'),
  ],
  [
    'nodes[certname] { certname !~* "^WEB" }',
    '["from","nodes",["extract",["certname"],["not",["~*","certname","^WEB"]]]]',
    names('db1'),
  ],
  [
    'inventory[certname] { facts.role ~* "^web$" order by certname }',
    '["from","inventory",["extract",["certname"],["~*","facts.role","^web$"]],["order_by",["certname"]]]',
    names('web1', 'web2'),
  ],
  [
    'facts[certname] { name = "role" and value ~* "db" }',
    '["from","facts",["extract",["certname"],["and",["=","name","role"],["~*","value","db"]]]]',
    names('db1'),
  ],
  [
    'fact_paths[path] { path ~* "OS.*FAM" }',
    '["from","fact_paths",["extract",["path"],["~*","path","OS.*FAM"]]]',
    [{ path: ['os', 'family'] }],
  ],
  [
    'nodes[report_environment, count()] { group by report_environment order by count() desc limit 1 }',
    '["from","nodes",["extract",["report_environment",["function","count"]],["group_by","report_environment"]],["order_by",[[["function","count"],"desc"]]],["limit",1]]',
    [{ report_environment: 'production', count: 2 }],
  ],
  [
    'nodes[report_environment] { group by report_environment order by count() }',
    '["from","nodes",["extract",["report_environment"],["group_by","report_environment"]],["order_by",[["function","count"]]]]',
    [{ report_environment: 'staging' }, { report_environment: 'production' }],
  ],
  [
    'events[property, count()] { certname ~ "." group by property order by property desc limit 1 }',
    '["from","events",["extract",["property",["function","count"]],["~","certname","."],["group_by","property"]],["order_by",[["property","desc"]]],["limit",1]]',
    [{ property: 'owner', count: 1 }],
    // PuppetDB supports this query in JSON, so only the PQL is an addition.
    'in PQL only',
  ],
  [
    'events[property, count()] { group by property having count() > 1 and count_distinct(certname) = 2 }',
    '["from","events",["extract",["property",["function","count"]],["group_by","property"],["having",["and",[">",["function","count"],1],["=",["function","count_distinct","certname"],2]]]]]',
    [{ property: 'mode', count: 2 }],
  ],
  [
    'facts[certname, value] { name = "os" and value in facts[value] { name = "os" group by value having count() < 3 } }',
    '["from","facts",["extract",["certname","value"],["and",["=","name","os"],["in","value",["from","facts",["extract",["value"],["=","name","os"],["group_by","value"],["having",["<",["function","count"],3]]]]]]]]',
    [],
  ],
  [
    'facts[value] { name = "odd" group by value having avg(value) >= 6.1 }',
    '["from","facts",["extract",["value"],["=","name","odd"],["group_by","value"],["having",[">=",["function","avg","value"],6.1]]]]',
    [{ value: 6.1 }],
  ],
  [
    'events[status] { group by status having count() >= 4 order by count() desc limit 1 }',
    '["from","events",["extract",["status"],["group_by","status"],["having",[">=",["function","count"],4]]],["order_by",[[["function","count"],"desc"]]],["limit",1]]',
    [{ status: 'success' }],
  ],
  [
    'events[property, count_distinct(certname)] { group by property order by count_distinct(certname) desc, property }',
    '["from","events",["extract",["property",["function","count_distinct","certname"]],["group_by","property"]],["order_by",[[["function","count_distinct","certname"],"desc"],"property"]]]',
    [
      { property: 'mode', count_distinct: 2 },
      { property: 'ensure', count_distinct: 1 },
      { property: 'owner', count_distinct: 1 },
    ],
  ],
  [
    'inventory[facts.role, count()] { group by facts.role order by facts.role offset 1 limit 1 }',
    '["from","inventory",["extract",["facts.role",["function","count"]],["group_by","facts.role"]],["order_by",["facts.role"]],["offset",1],["limit",1]]',
    [{ 'facts.role': 'Web', count: 1 }],
  ],
  [
    'events[distinct property] { order by property }',
    '["from","events",["extract",["property"],["distinct"]],["order_by",["property"]]]',
    [{ property: 'ensure' }, { property: 'mode' }, { property: 'owner' }],
  ],
  [
    'events[distinct status, certname] { property = "mode" order by certname limit 1 }',
    '["from","events",["extract",["status","certname"],["=","property","mode"],["distinct"]],["order_by",["certname"]],["limit",1]]',
    [{ status: 'success', certname: 'web1' }],
  ],
  [
    'reports[certname] { metrics.time.config_retrieval > 10 }',
    '["from","reports",["extract",["certname"],[">","metrics.time.config_retrieval",10]]]',
    names('web1'),
  ],
  [
    'reports[certname, metrics.time.config_retrieval] { order by metrics.time.config_retrieval desc offset 1 limit 1 }',
    '["from","reports",["extract",["certname","metrics.time.config_retrieval"]],["order_by",[["metrics.time.config_retrieval","desc"]]],["offset",1],["limit",1]]',
    [{ certname: 'web1', 'metrics.time.config_retrieval': 12.5 }],
  ],
  [
    'reports[avg(metrics.time.config_retrieval), max(metrics.resources.failed)] { }',
    '["from","reports",["extract",[["function","avg","metrics.time.config_retrieval"],["function","max","metrics.resources.failed"]]]]',
    [{ avg: 6.625, max: 2 }],
  ],
  // The service compares every number that a report can have, with any number of digits.
  [
    'reports[certname, metrics.time.largest] { metrics.time.largest > 1000000 and metrics.time.least > 0 }',
    '["from","reports",["extract",["certname","metrics.time.largest"],["and",[">","metrics.time.largest",1000000],[">","metrics.time.least",0]]]]',
    [{ certname: 'web2', 'metrics.time.largest': 1e308 }],
  ],
  [
    'reports[certname] { metrics.time.config_retrieval is null or metrics.time.odd > 0 }',
    '["from","reports",["extract",["certname"],["or",["null?","metrics.time.config_retrieval",true],[">","metrics.time.odd",0]]]]',
    names('db1'),
  ],
  [
    'package_inventory[certname, version] { package_name = "openssl" and version(version) < version("3.0.9") order by certname }',
    '["from","package_inventory",["extract",["certname","version"],["and",["=","package_name","openssl"],["<",["function","version","version"],"3.0.9"]]],["order_by",["certname"]]]',
    [
      // By the general rule, a version with rc is older than the release.
      { certname: 'db1', version: '3.0.9-rc1' },
      { certname: 'web1', version: '3.0.9~rc1-1' },
      { certname: 'web2', version: '1:3.0.7-16.el9' },
    ],
  ],
  [
    'packages[version] { package_name = "openssl" and version(version) < version("0:3.0.9") and !(version(version) < "0:3.0.9~~") order by version }',
    '["from","packages",["extract",["version"],["and",["=","package_name","openssl"],["<",["function","version","version"],"0:3.0.9"],["not",["<",["function","version","version"],"0:3.0.9~~"]]]],["order_by",["version"]]]',
    // If the version in the query has an epoch, epochs of packages are compared. The general rule has no epochs.
    [{ version: '3.0.9~rc1-1' }],
  ],
  [
    'package_inventory[certname, version] { package_name = "pytz" and version(version) >= version("1!2.0") }',
    '["from","package_inventory",["extract",["certname","version"],["and",["=","package_name","pytz"],[">=",["function","version","version"],"1!2.0"]]]]',
    // pip writes an epoch with an exclamation mark.
    [{ certname: 'web2', version: '1!2.0' }],
  ],
  [
    'package_inventory[certname] { package_name = "facter" and version(version) >= version("4.2.0") }',
    '["from","package_inventory",["extract",["certname"],["and",["=","package_name","facter"],[">=",["function","version","version"],"4.2.0"]]]]',
    names('web2'),
  ],
  [
    'facts[certname] { name = "kernelrelease" and version(value) < version("5.10") }',
    '["from","facts",["extract",["certname"],["and",["=","name","kernelrelease"],["<",["function","version","value"],"5.10"]]]]',
    names('web1'),
  ],
  [
    'facts[certname] { name = "kernelrelease" and version(value) != version("5.10-0-28.amd64") }',
    '["from","facts",["extract",["certname"],["and",["=","name","kernelrelease"],["not",["=",["function","version","value"],"5.10-0-28.amd64"]]]]]',
    // The comparison is neither true nor false, because "unknown" is not a version.
    names('web1'),
  ],
  [
    'facts[certname] { name = "odd" and version(value) > "6" order by certname }',
    '["from","facts",["extract",["certname"],["and",["=","name","odd"],[">",["function","version","value"],"6"]]],["order_by",["certname"]]]',
    names('db1', 'web2'),
  ],
  [
    'inventory[certname] { version( facts.kernelrelease )>=version( "5.4" ) order by certname }',
    '["from","inventory",["extract",["certname"],[">=",["function","version","facts.kernelrelease"],"5.4"]],["order_by",["certname"]]]',
    names('web1', 'web2'),
  ],
  [
    'inventory[certname] { !(version(facts.kernelrelease) > "5.4") or version(facts.match("^od.*")) = "6.1.0" order by certname }',
    '["from","inventory",["extract",["certname"],["or",["not",[">",["function","version","facts.kernelrelease"],"5.4"]],["=",["function","version","facts.match(\\"^od.*\\")"],"6.1.0"]]],["order_by",["certname"]]]',
    names('db1', 'web2'),
  ],
  [
    'nodes[certname] { certname in package_inventory[certname] { package_name = "openssl" and version(version) > version("3.0.10") } }',
    '["from","nodes",["extract",["certname"],["in","certname",["from","package_inventory",["extract",["certname"],["and",["=","package_name","openssl"],[">",["function","version","version"],"3.0.10"]]]]]]]',
    names('db1'),
  ],
];

describe.each(cases)('%s', (pql, json, answer, only) => {
  test('is answered, in JSON too', async () => {
    expect(parsePql(pql)).toEqual(parseAst(json));
    expect(await rows(json)).toEqual(answer);
  });

  test('is refused by the strict language', async () => {
    for (const query of only === undefined ? [pql, json] : [pql])
      expect((await refusal(query, strictLanguage)).message).not.toBe('');
  });
});

test('the total is that of the groups that having shows', async () => {
  const pql = 'events[property] { group by property having count() = 1 }';
  const request = { ast: parsePql(pql), pql, paging: { includeTotal: true, limit: 1 } };
  const { total } = compileQuery(request, target(fullLanguage));
  expect(await bench.db.query(total!)).toEqual([{ row: '2' }]);
});

describe('the strict language refuses additions with the texts of PuppetDB', () => {
  test.each([
    ['["from","nodes",["<","report_timestamp","2 hours ago"]]', "'2 hours ago' is not a valid timestamp value"],
    ['["from","nodes",["~*","certname","a"]]', "query operator '~*' is unknown"],
    [
      '["from","nodes",["extract",["certname"],["group_by","certname"],["having",[">",["function","count"],1]]]]',
      '["having" [">" ["function" "count"] 1]] is not a valid expression for "extract"',
    ],
    ['nodes[certname] { group by certname having count() > 1 }', "found 'having'"],
    ['["from","nodes",["extract",["certname"],["distinct"]]]', '["distinct"] is not a valid expression for "extract"'],
    ['["from","nodes",["order_by",[["function","count"]]]]', 'is not a valid term of order_by'],
    ['["from","reports",[">","metrics.time.x",1]]', "'metrics.time.x' is not a queryable object for reports"],
    ['["from","nodes",["extract",[["function","count_distinct","certname"]]]]', 'is not a function. Known'],
    ['nodes[certname] { group by certname order by certname }', "Expected one of ',', '}', found 'order'"],
    ['nodes { certname ~* "a" }', "Expected a quoted text, found '*'"],
    ['nodes[distinct certname] { }', "found 'certname'"],
    ['packages { version(version) < "3" }', "found '('"],
    ['["from","packages",["<",["function","version","version"],"3"]]', 'is not a field: a name, or a pair'],
  ])('%s', async (query, message) => {
    const found = await refusal(query, strictLanguage);
    expect(found.message).toContain(message);
    expect(`${found.message} ${found.hint}`).not.toMatch(/now\(\)|'~\*',|~ ~\*|, count_distinct|or "2 hours ago"/);
  });
});

describe('refusals name the place and what to write', () => {
  test.each([
    [
      'nodes { report_timestamp > "2 months ago" }',
      '"2 hours ago", in PQL also now() - 2h. The mistake is at line 1, column 9',
    ],
    ['nodes { report_timestamp > now() - 99999d }', 'at line 1, column 9'],
    ['["from","nodes",["<","report_timestamp",["-",["now"],"2y"]]]', 'The mistake is at [2][2]'],
    ['nodes { certname ~* "(" and certname > now() }', 'The mistake is at line 1, column 29'],
    ['nodes[certname] { order by certname, count() desc }', 'Group the rows'],
    ['nodes[certname] { order by certname, count() desc }', 'The mistake is at line 1, column 38'],
    ['["from","nodes",["extract",["certname"]],["order_by",["certname",["function","count"]]]]', 'at [3][1][1]'],
    ['nodes[distinct count()] { }', 'count_distinct'],
    ['nodes[certname] { group by certname having max(certname) > 1 }', 'The mistake is at line 1, column 44'],
    ['nodes[certname] { group by certname having count() > 1.5e300 }', 'The mistake is at line 1, column 44'],
    [
      '["from","nodes",["extract",["certname"],["group_by","certname"],["having",[">","certname",1]]]]',
      'Write [">", ["function", "count"], 1]',
    ],
    ['resources { type = "File" and version(line) < version("5") }', 'The field is a number; versions are texts'],
    ['resources { type = "File" and version(line) < version("5") }', 'The mistake is at line 1, column 31'],
    ['["from","facts",["<",["function","version","value"],5.4]]', 'Write "5.4". The mistake is at [2]'],
  ])('%s', async (query, hint) => {
    expect((await refusal(query)).hint).toContain(hint);
  });

  test.each([
    ['nodes { report_timestamp > now() - 2y }', "Expected a duration such as 2h, found '2y'"],
    ['nodes { certname = now() }', "found 'now'"],
    [
      'nodes[certname] { group by certname having certname > 1 }',
      'having compares a function of the group with a number',
    ],
    ['nodes[certname] { group by certname having count() ~ "1" }', "found '~'"],
    ['nodes[certname] { group by certname having count() > "1" }', "Expected a number, found '\"'"],
    ['nodes[certname] { having count() > 1 }', "found 'count'"],
    ['nodes[certname] { group by certname having max(certname) > 1 }', 'having compares numbers'],
    ['nodes[certname] { group by certname having to_string(report_timestamp, "YYYY") > 1 }', 'not allowed in having'],
    ['nodes { certname in nodes { having count() > 1 } }', "found 'count'"],
    ['nodes[certname] { group by certname limit 1 group by certname }', "found 'group'"],
    ['["from","nodes",["extract",["certname"],["distinct"],["group_by","certname"]]]', 'is not a valid expression'],
    ['facts { version(value) ~ "5" }', "found '~'"],
    ['facts { version() < "5" }', "found ')'"],
    ['facts { version(value) < 5 }', "found '5'"],
    ['packages { version < version("5") }', 'version(version) < version("3.0.9")'],
    ['packages[version(version)] { }', "'version' is not a function"],
    ['["from","facts",["<",["function","version"],"5"]]', "'version' requires exactly one field"],
    ['["from","facts",["<",["function","version","value","name"],"5"]]', "'version' requires exactly one field"],
    ['["from","facts",["<",["function","version","value"]]]', '< requires exactly two arguments'],
    ['["from","facts",["~",["function","version","value"],"5"]]', 'operator ~ is not allowed on version("value")'],
    [
      '["from","facts",["in",["function","version","value"],["array",["5"]]]]',
      'operator in is not allowed on version(',
    ],
    ['["from","facts",["null?",["function","version","value"],true]]', 'operator null? is not allowed on version('],
    ['["from","facts",["<",["function","version","value"],5.4]]', 'with a version in quotes, not with 5.4'],
    ['["from","facts",["<",["function","version","value"],"latest"]]', '"latest" is not a version: it has no digit'],
    [`["from","facts",["<",["function","version","value"],"${'1'.repeat(257)}"]]`, 'at most 256'],
    ['resources { version(line) < version("5") }', "Function 'version' is not defined on field 'line'"],
    ['nodes { version(kernel) < version("5") }', "'kernel' is not a queryable object for nodes"],
    [
      '["from","nodes",["extract",["certname"],["group_by","certname"],["distinct"]]]',
      'cannot be combined with group_by',
    ],
    ['["from","nodes",["extract",["certname"],["distinct","certname"]]]', 'distinct takes no arguments'],
    ['reports[distinct logs] { }', "Field 'logs' cannot be combined with distinct"],
    ['reports { metrics.time > 1 }', "'metrics.time' is not a queryable object"],
    ['["from","facts",[">","value","2 hours ago"]]', 'have incompatible types'],
  ])('%s', async (query, message) => {
    expect((await refusal(query)).message).toContain(message);
  });
});

test('a faulty regular expression is refused as with ~, whatever the rows', async () => {
  await expect(rows('nodes { certname = "nobody" and certname ~* "(" }')).rejects.toMatchObject({ code: '2201B' });
});

test('all relative times of a request are of one instant', async () => {
  const query = 'nodes[count()] { report_timestamp > now() and report_timestamp <= now() }';
  expect(await rows(query)).toEqual([{ count: 0 }]);
  const { rows: statement } = compileQuery({ ast: parsePql(query) }, target(fullLanguage));
  // In PostgreSQL, now() is the start of the transaction.
  expect(statement.text.match(/ now\(\) /g)).toHaveLength(2);
  expect(statement.text).not.toMatch(/clock_timestamp|statement_timestamp/);
});

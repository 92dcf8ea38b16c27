import { fromPlain } from './ast/json';
import { entities } from './entities/registry';
import type { SubjectType } from './plan/plan-event-counts';
import { compileQuery, parseAst, type CompileTarget, type QueryRequest } from './compile';

const target: CompileTarget = { schema: 'gen_1', edition: 'open', dialect: 'puppetdb' };
const ask = (entity: string, query: unknown, rest: Omit<QueryRequest, 'entity' | 'ast'> = {}) =>
  compileQuery({ entity, ast: fromPlain(query), ...rest }, target).rows;

const refusal = (entity: string, query: unknown, rest: Omit<QueryRequest, 'entity' | 'ast'> = {}): string => {
  try {
    ask(entity, query, rest);
  } catch (error) {
    expect(error).toMatchObject({ kind: 'malformed' });
    return (error as Error).message;
  }
  throw new Error('accepted');
};

describe('compileQuery', () => {
  // No statement of the service contains this text. It has every character that could end a literal, a name or a
  // statement.
  const evil = `zqx'"\`);--\\$1::text {"}]/*zqx`;

  describe('never lets text of a request into SQL text', () => {
    it.each<[string, string, unknown]>([
      ['a value', 'nodes', ['=', 'certname', evil]],
      ['members of an array', 'nodes', ['in', 'certname', ['array', [evil, evil]]]],
      ['a regular expression', 'nodes', ['~', 'certname', evil]],
      ['a regular expression without case', 'nodes', ['~*', 'certname', evil]],
      ['a metric', 'reports', ['>', `metrics.time.${evil.replaceAll(/[."[\]]/g, '')}`, 1]],
      ['a value of a fact', 'facts', ['=', 'value', evil]],
      ['an element of a path', 'fact-contents', ['=', 'path', [evil, 1]]],
      ['an expression of a path', 'fact-contents', ['~>', 'path', [evil]]],
      ['a dotted name', 'inventory', ['=', `facts.${evil}`, evil]],
      ['a dotted name that is ordered', 'inventory', ['>', `facts.x.${evil}`, evil]],
      ['a dotted name that is negated', 'inventory', ['not', ['>', `facts.x[0].${evil}`, 1]]],
      ['a pattern in a dotted name', 'inventory', ['~', `facts.match("${evil.replaceAll('"', '')}").x`, evil]],
      ['a dotted column', 'inventory', ['extract', [`facts.${evil}`]]],
      [
        'a grouped dotted column',
        'inventory',
        ['extract', [`facts.${evil}`, ['function', 'count']], ['group_by', `facts.${evil}`]],
      ],
      ['the name of a fact', 'nodes', ['=', ['fact', evil], evil]],
      ['the name of a parameter', 'resources', ['=', ['parameter', evil], evil]],
      ['a parameter as an expression', 'resources', ['~', ['parameter', evil], evil]],
      ['a dotted parameter', 'resources', ['=', `parameters.${evil}`, { [evil]: evil }]],
      ['keys of JSON', 'resources', ['=', 'parameters', { [evil]: [evil] }]],
      ['a tag', 'resources', ['=', 'tag', evil]],
      ['a format', 'reports', ['extract', [['function', 'to_string', 'start_time', evil]]]],
      [
        'a grouped format',
        'reports',
        [
          'extract',
          [
            ['function', 'to_string', 'start_time', evil],
            ['function', 'count'],
          ],
          ['group_by', ['function', 'to_string', 'start_time', evil]],
        ],
      ],
      ['a query inside', 'nodes', ['in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'name', evil]]]]],
      ['a related query', 'nodes', ['subquery', 'events', ['=', 'new_value', evil]]],
    ])('%s', (_, entity, query) => {
      const plain = JSON.parse(JSON.stringify(query).replaceAll(/zqx.*?zqx/g, 'plain')) as unknown;
      const hostile = ask(entity, query);
      const harmless = ask(entity, plain);
      expect(hostile.text).not.toContain('zqx');
      expect(hostile.text).toBe(harmless.text);
      expect(hostile.values).not.toEqual(harmless.values);
    });

    it('nor paths, windows, counts and paging', () => {
      const statement = compileQuery(
        {
          entity: 'event-counts',
          ast: fromPlain(['=', 'message', evil]),
          restrict: fromPlain(['=', 'certname', evil]),
          paging: { limit: 5, offset: 7, orderBy: [{ field: 'certname', order: 'desc' }], includeTotal: true },
          options: { summarizeBy: 'certname', countsFilter: parseAst('[">","failures",987654]') },
        },
        target,
      );
      for (const { text } of [statement.rows, statement.total ?? statement.rows]) {
        expect(text).not.toMatch(/zqx|987654/);
        expect(text).not.toMatch(/LIMIT \d|OFFSET \d/);
      }
    });

    it.each<[string, string, unknown, Omit<QueryRequest, 'entity' | 'ast'>]>([
      ['a field', 'nodes', ['=', evil, 1], {}],
      ['a column', 'nodes', ['extract', [evil]], {}],
      ['a group', 'nodes', ['extract', ['certname'], ['group_by', evil]], {}],
      ['an order', 'nodes', null, { paging: { orderBy: [{ field: evil, order: 'asc' }] } }],
      [
        'an order by a function',
        'nodes',
        ['extract', [['function', 'count']]],
        { paging: { orderBy: [{ field: ['function', 'max', evil], order: 'asc' }] } },
      ],
      ['an entity', 'nodes', ['in', 'certname', ['from', evil, ['extract', 'certname']]], {}],
      ['a select', 'nodes', ['in', 'certname', ['extract', 'certname', [evil]]], {}],
      ['a function', 'nodes', ['extract', [['function', evil]]], {}],
      ['a count', 'event-counts', null, { options: { summarizeBy: 'certname', countsFilter: ['>', evil, '1'] } }],
    ])('and refuses %s that is none', (_, entity, query, rest) => {
      expect(refusal(entity, query, rest)).toContain('zqx');
    });
  });

  it.each<[string, unknown, string]>([
    [
      'nodes',
      ['=', 'nope', 1],
      "'nope' is not a queryable object for nodes. Known queryable objects are 'cached_catalog_status', ",
    ],
    [
      'environments',
      ['=', 'nope', 1],
      "'nope' is not a queryable object for environments. Known queryable objects are 'name'",
    ],
    ['fact-contents', ['=', 'nope', 1], "'nope' is not a queryable object for fact_nodes. Known"],
    [
      'fact-paths',
      ['extract', ['nope']],
      "Can't extract unknown 'fact_paths' field 'nope'. Acceptable fields are 'type', 'path', and 'name'",
    ],
    ['facts', ['extract', ['a', 'b']], "Can't extract unknown 'facts' fields 'a' and 'b'. Acceptable fields are"],
    ['facts', ['extract', ['name'], ['group_by', 'nope']], '"nope" is niether a valid column name nor function name'],
    ['nodes', ['>', 'certname', 'a'], 'Query operators >,>=,<,<= are not allowed on field certname'],
    ['nodes', ['>', 'deactivated', '2024-01-01'], 'Query operators >,>=,<,<= are not allowed on field deactivated'],
    ['nodes', ['~>', 'certname', ['x']], 'Query operator ~> is not allowed on field certname'],
    ['nodes', ['>', 'report_timestamp', null], "'null' is not a valid timestamp value"],
    ['events', ['=', 'timestamp', 'x'], "'x' is not a valid timestamp value"],
    ['resources', ['=', 'line', 'ten'], 'Argument "ten" is incompatible with numeric field "line".'],
    ['facts', ['>', 'value', 'x'], 'Argument "x" and operator ">" have incompatible types.'],
    ['fact-contents', ['=', 'path', 'os'], 'Path array element wasnt string or integer in {0}'],
    ['nodes', ['=', ['fact', 'x'], ['a']], `Operator '=' not allowed on value '["a"]'`],
    ['nodes', ['>', ['fact', 'x'], 'a'], "Operator '>' not allowed on value 'a'"],
    ['nodes', ['subquery', 'environments', ['=', 'name', 'x']], "No implicit relationship for entity 'environments'"],
    [
      'nodes',
      ['in', 'certname', ['extract', 'certname', ['select-facts', ['=', 'name', 'x']]]],
      'Unsupported subquery `select-facts` - did you mean `select_facts`?',
    ],
    [
      'nodes',
      ['extract', ['certname', ['function', 'count']]],
      "Column 'certname' must appear in group_by or be the argument of a function",
    ],
    ['nodes', ['=', 'expires_facts', true], "'expires_facts' is not a queryable object for nodes."],
  ])('refuses of %s %j', (entity, query, message) => {
    expect(refusal(entity, query)).toContain(message);
  });

  it.each<[string, unknown, string]>([
    ['nodes', ['=', 'certnam', 'x'], "Did you mean 'certname'?"],
    ['nodes', ['extract', ['certnmae']], "Did you mean 'certname'?"],
    ['facts', ['extract', [['function', 'count']], ['group_by', 'nmae']], "Did you mean 'name'?"],
    ['facts', ['extract', [['function', 'cuont']]], "Did you mean 'count'?"],
    ['nodes', ['=~', 'certname', 'x'], "Did you mean '~'? Operators are"],
    ['nodes', ['subquery', 'fact', ['=', 'name', 'x']], "Did you mean 'facts'?"],
    ['nodes', ['=', ['fact', 'x'], ['a', 'b']], 'write ["in", field, ["array", ["a","b"]]]'],
    ['nodes', ['>', ['fact', 'x'], '4'], 'Write the number without quotes: 4.'],
    ['resources', ['=', 'exported', 'maybe'], 'Write true or false'],
    ['nodes', ['=', 'certname'], 'Write ["=", field, value].'],
    ['nodes', [['=', 'certname', 'x']], 'Join several conditions by ["and"'],
  ])('says what would be right: %s %j', (entity, query, hint) => {
    expect(() => ask(entity, query)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) as string }) as Error,
    );
  });

  it('asks by keys and indexed prefixes', () => {
    expect(ask('facts', ['=', 'name', 'kernel']).text).toContain('f.fact = $');
    expect(ask('resources', ['=', 'title', 'x']).text).toContain('"left"(rc.title, 200) = $');
    const inside = ask('nodes', ['in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'name', 'a']]]]).text;
    expect(inside).toMatch(/\(n\.node\) IN \(SELECT f\.node FROM gen_1\.facts f WHERE/);
    expect(ask('inventory', ['=', 'facts.os.family', 'Debian']).text).toContain('jsonb_hash_extended(c.value, 0)');
  });

  it.each<[keeps: boolean, entity: string, query: unknown, rest?: Omit<QueryRequest, 'entity' | 'ast'>]>([
    [true, 'nodes', null],
    [true, 'nodes', ['=', 'certname', 'a'], { paging: { limit: 1 } }],
    [true, 'resources', ['=', 'certname', 'a']],
    [true, 'events', ['=', 'report', 'a'.repeat(40)]],
    [true, 'event-counts', ['=', 'latest_report?', true], { options: { summarizeBy: 'certname' } }],
    [true, 'nodes', ['extract', [['function', 'count'], 'latest_report_status'], ['group_by', 'latest_report_status']]],
    [false, 'nodes', ['=', 'latest_report_status', 'failed']],
    [false, 'nodes', ['in', 'certname', ['array', ['a', 'b']]]],
    [false, 'nodes', null, { paging: { limit: 2 } }],
    [false, 'nodes', null, { paging: { limit: 1, offset: 1 } }],
    [false, 'facts', ['=', 'name', 'kernel']],
    [false, 'resources', ['and', ['=', 'certname', 'a'], ['=', 'environment', 'production']]],
  ])('keeps a plan only where the values do not matter to it: %s %s %j', (keeps, entity, query, rest = {}) => {
    expect(ask(entity, query, rest).canBePrepared).toBe(keeps);
  });

  it('makes one comparison of many alternatives', () => {
    const many = ['or', ...Array.from({ length: 5000 }, (_, i) => ['=', 'certname', `n${i}`])];
    const { values } = ask('nodes', many);
    expect(values.filter(Array.isArray)).toHaveLength(1);
    expect(values.length).toBeLessThan(60);
  });

  it('joins only what is used', () => {
    expect(ask('facts', ['extract', ['name'], ['=', 'node_state', 'any']]).text).not.toContain('JOIN');
    expect(ask('facts', ['extract', ['name']]).text).toMatch(
      /JOIN gen_1\.nodes n .*n\.deactivated IS NULL AND n\.expired IS NULL/s,
    );
    expect(ask('facts', ['extract', ['environment'], ['=', 'node_state', 'any']]).text).toMatch(
      /factsets s .*environments env/s,
    );
  });

  it.each(entities.map((entity) => [entity.name, entity.nodeJoin !== undefined] as const))(
    'knows the state of nodes only where there are nodes: %s',
    (name, hasNodes) => {
      for (const query of [
        ['=', 'node_state', 'inactive'],
        ['=', ['node', 'active'], true],
        ['=', ['node', 'active'], 'any'],
        ['not', ['=', ['node', 'active'], null]],
      ]) {
        if (hasNodes) expect(ask(name, query).text).toMatch(/n\.deactivated IS (NOT )?NULL|n\.deactivated >/);
        else expect(refusal(name, query)).toMatch(/is not a queryable object for/);
      }
    },
  );

  it.each<[string, QueryRequest, boolean]>([
    ['nodes', { entity: 'nodes' }, true],
    ['reports at their path', { entity: 'reports' }, false],
    ['reports at the root', { ast: fromPlain(['from', 'reports']) }, true],
    ['a single node', { entity: 'nodes', restrict: fromPlain(['=', 'certname', 'x']), scope: 'all' }, false],
    ['facts under a node', { entity: 'facts', restrict: fromPlain(['=', 'certname', 'x']) }, true],
    ['a query that names a state', { entity: 'nodes', ast: fromPlain(['=', 'node_state', 'any']) }, false],
    [
      'one that names it inside',
      {
        entity: 'nodes',
        ast: fromPlain(['in', 'certname', ['extract', 'certname', ['select_facts', ['=', ['node', 'active'], false]]]]),
      },
      false,
    ],
  ])('shows active nodes only, or all: %s', (_, request, activeOnly) => {
    const { text } = compileQuery(request, target).rows;
    expect(/n\.deactivated IS NULL AND n\.expired IS NULL/.test(text)).toBe(activeOnly);
  });

  it.each<[unknown, boolean]>([
    [['=', 'status', 'failed'], true],
    [['=', 'type', 'any'], false],
    [['not', ['or', ['=', 'type', 'plan']]], false],
    [['in', 'hash', ['extract', 'hash', ['select_reports', ['=', 'type', 'plan']]]], true],
  ])('reports of agents only, unless asked: %j', (query, agentsOnly) => {
    expect(ask('reports', query).text.endsWith(`(r.type = 'agent')`)).toBe(agentsOnly);
  });

  it('speaks the dialect and keeps to the edition', () => {
    const neutral = compileQuery({ entity: 'reports' }, { schema: 'gen_1', edition: 'full', dialect: 'neutral' }).rows;
    expect(neutral.values).toEqual(expect.arrayContaining(['agent_version', 'resources']));
    const open = compileQuery({ entity: 'reports' }, target).rows;
    expect(open.values).toEqual(expect.arrayContaining(['puppet_version', 'corrective_change']));
    expect(open.values).not.toContain('resources');
    expect(open.text).not.toContain('r.corrective_change');
    expect(ask('reports', ['=', 'agent_version', '8']).values).toContain('8');
    expect(ask('reports', ['=', 'puppet_version', '8']).values).toContain('8');
  });

  it('adds fields only when the request asks for them', () => {
    expect(ask('nodes', null).values).not.toContain('expires_facts');
    expect(ask('nodes', null, { options: { includeFactsExpiration: true } }).values).toContain('expires_facts');
  });

  it('counts events from the kept counts where they suffice', () => {
    const from = (query: unknown, summarizeBy: SubjectType): boolean =>
      /gen_1\.event_counts/.test(ask('event-counts', query, { options: { summarizeBy } }).text);
    expect(from(['=', 'latest_report?', true], 'certname')).toBe(true);
    expect(from(['=', 'status', 'failure'], 'certname')).toBe(false);
    expect(from(['=', 'latest_report?', true], 'resource')).toBe(false);
  });

  it('numbers repeated columns, and splits records beyond what a function takes', () => {
    const { text, values } = ask('nodes', ['extract', Array(120).fill('certname')]);
    expect(values).toContain('certname_120');
    expect(text.match(/json_build_object/g)).toHaveLength(3);
  });
});

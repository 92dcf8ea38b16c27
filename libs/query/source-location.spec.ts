import { isFault } from '#fault';
import { fromPlain } from './ast/json';
import { type CompileTarget, compileQuery, type QueryRequest } from './compile';
import { parsePql } from './pql';

const target: CompileTarget = { schema: 's', edition: 'full', dialect: 'neutral' };

function fault(request: QueryRequest): { code: string; hint: string; details: unknown } {
  try {
    compileQuery(request, target);
  } catch (error) {
    if (isFault(error)) return { code: error.code, hint: error.hint ?? '', details: error.details };
    throw error;
  }
  throw new Error('accepted');
}

describe('the location of a mistake in a JSON query', () => {
  it.each<[string, unknown, string, string]>([
    ['an unknown field', ['=', 'certnam', 'a'], 'query.field', '[1]'],
    ['inside and, or and not', ['and', ['=', 'certname', 'a'], ['not', ['=', 'x', 1]]], 'query.field', '[2][1][1]'],
    [
      'in a chain that becomes one list',
      ['or', ['=', 'certname', 'a'], ['or', ['=', 'x', 1]]],
      'query.field',
      '[2][1][1]',
    ],
    ['a value', ['or', ['=', 'certname', 'a'], ['=', 'certname', 5]], 'query.value', '[2][2]'],
    ['an operator that the field does not have', ['and', ['<', 'certname', 'a']], 'query.operator', '[1][0]'],
    ['an unknown operator', ['and', ['==', 'certname', 'a']], 'query.operator', '[1][0]'],
    ['too few arguments', ['not', ['=', 'certname']], 'query.arguments', '[1]'],
    ['a column', ['extract', ['certname', 'x']], 'query.field', '[1]'],
    [
      'a column of group_by',
      ['extract', [['function', 'count'], 'certname'], ['group_by', 'certname', 'x']],
      'query.field',
      '[2][2]',
    ],
    ['what is no clause', ['extract', ['certname'], ['==', 'certname', 'x']], 'query.shape', '[2]'],
    ['a list of conditions', ['extract', ['certname'], [['=', 'certname', 'x']]], 'query.operator', '[2]'],
    ['a pair that is none', ['=', ['constructor', 'x'], 1], 'query.field', '[1]'],
    ['an entity that is none', ['and', ['subquery', 'constructor']], 'query.entity', '[1][1]'],
    ['an operator that is none', ['and', ['constructor', 'certname', 1]], 'query.operator', '[1][0]'],
    ['a function', ['extract', [['function', 'median', 'certname']]], 'query.function', '[1]'],
    [
      'a field of an inner query',
      ['in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'nam', 'a']]]],
      'query.field',
      '[2][2][1][1]',
    ],
    ['the columns of an inner query', ['in', 'certname', ['extract', 'x', ['select_facts']]], 'query.field', '[2][1]'],
    ['a related entity', ['and', ['subquery', 'nodez', ['=', 'a', 1]]], 'query.entity', '[1][1]'],
    ['an entity without a relation', ['and', ['subquery', 'environments']], 'query.relation', '[1][1]'],
    ['a selected entity', ['in', 'certname', ['extract', 'x', ['select_x']]], 'query.entity', '[2][2]'],
  ])('%s', (_, query, code, place) => {
    const found = fault({ entity: 'nodes', ast: fromPlain(query) });
    expect(found.code).toBe(code);
    expect(found.hint).toContain(`The mistake is at ${place} of the query.`);
    expect(found.details).toMatchObject({ path: [...place.matchAll(/\d+/g)].map(Number) });
  });

  it('is counted from the beginning of a whole query', () => {
    const ast = fromPlain(['from', 'nodes', ['=', 'certnam', 'a'], ['limit', 1]]);
    expect(fault({ ast }).hint).toBe("Did you mean 'certname'? The mistake is at [2][1] of the query.");
  });

  it('is the entity of a whole query', () => {
    expect(fault({ ast: fromPlain(['from', 'node']) }).hint).toContain('The mistake is at [1] of the query.');
  });

  it('is not given for conditions that the query does not hold', () => {
    const restrict = fromPlain(['=', 'x', 'a']);
    expect(fault({ entity: 'nodes', ast: fromPlain(['=', 'certname', 'a']), restrict }).hint).not.toContain('mistake');
  });
});

describe('the location of a mistake in PQL', () => {
  it.each<[string, string, string]>([
    ['a field', 'nodes { certnam = "a" }', 'line 1, column 9'],
    ['a field on another line', 'nodes {\n  certname = "a" and\n  certnam = "b"\n}', 'line 3, column 3'],
    ['a value', 'nodes { certname = "a" or certname = 5 }', 'line 1, column 27'],
    ['under a negation', 'nodes { !(certname < "a") }', 'line 1, column 11'],
    ['another spelling of not', 'nodes { certnam != "a" }', 'line 1, column 9'],
    ['a column', 'nodes[certname, x] { }', 'line 1, column 6'],
    ['a sub-query', 'nodes { resources { typ = "File" } }', 'line 1, column 21'],
    ['a query of in', 'nodes { certname in facts[nam] { } }', 'line 1, column 26'],
  ])('%s', (_, text, place) => {
    expect(fault({ ast: parsePql(text), pql: text }).hint).toContain(`The mistake is at ${place} of the query.`);
  });
});

test('a large query with its mistake at the end takes no more than a walk', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => ['=', 'certname', `n${n}`]);
  expect(fault({ entity: 'nodes', ast: fromPlain(['or', ...many, ['=', 'x', 1]]) }).details).toMatchObject({
    path: [20_001, 1],
  });
});

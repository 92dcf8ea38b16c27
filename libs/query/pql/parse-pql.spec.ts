import { Fault } from '#fault';
import { growth } from '../../../test/support/growth';
import { stringifyAst } from '../ast/json';
import { defaultLimits } from '#limits';
import { strictLanguage } from '../operators/language';
import { parseDatedPql, parsePql } from './parse-pql';

const ast = (text: string): string => stringifyAst(parsePql(text));
/** Returns the AST of a condition on nodes. */
const condition = (text: string): string => ast(`nodes { ${text} }`).slice('["from","nodes",'.length, -1);

function refusal(text: string): { message: string; line: number; column: number; expected: string[] } {
  try {
    parsePql(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    const { code, message, details } = error as Fault;
    expect(code).toBe('pql.syntax');
    return { message, ...(details as { line: number; column: number; expected: string[] }) };
  }
  throw new Error(`was accepted: ${text}`);
}

describe('the frame of a query', () => {
  test.each([
    ['nodes{}', '["from","nodes"]'],
    ['  nodes\t[ certname ]\r\n{\f}\v ', '["from","nodes",["extract",["certname"]]]'],
    ['nodes[] {}', '["from","nodes",["extract",[]]]'],
    [
      'facts[name, count()] { group by name }',
      '["from","facts",["extract",["name",["function","count"]],["group_by","name"]]]',
    ],
    [
      'nodes[count( certname )] { certname = "a" group by certname, avg(line) }',
      '["from","nodes",["extract",[["function","count","certname"]],["=","certname","a"],["group_by","certname",["function","avg","line"]]]]',
    ],
    [
      'reports[to_string(start_time, "HH24")] { group by to_string(start_time,\'HH24\') }',
      '["from","reports",["extract",[["function","to_string","start_time","HH24"]],["group_by",["function","to_string","start_time","HH24"]]]]',
    ],
    [
      'facts[value] { group by value having count()>1 }',
      '["from","facts",["extract",["value"],["group_by","value"],["having",[">",["function","count"],1]]]]',
    ],
    [
      'facts[value]{a=1 group by value  having count( ) >= 02 and avg(value)=-1.5 limit 1}',
      '["from","facts",["extract",["value"],["=","a",1],["group_by","value"],["having",["and",[">=",["function","count"],2],["=",["function","avg","value"],-1.5]]]],["limit",1]]',
    ],
    ['facts[having] { group by having }', '["from","facts",["extract",["having"],["group_by","having"]]]'],
    ['nodes { limit 2 offset 010 }', '["from","nodes",["limit",2],["offset",10]]'],
    [
      'nodes[certname] { certname="a"limit 1order by certname , x desc,y asc}',
      '["from","nodes",["extract",["certname"],["=","certname","a"]],["limit",1],["order_by",["certname",["x","desc"],["y","asc"]]]]',
    ],
    [
      'nodes[count(), a] { b = 1 group by a limit 5 order by count() desc, a }',
      '["from","nodes",["extract",[["function","count"],"a"],["=","b",1],["group_by","a"]],["limit",5],["order_by",[[["function","count"],"desc"],"a"]]]',
    ],
    ['nodes[ distinct a, b] {c = 1}', '["from","nodes",["extract",["a","b"],["=","c",1],["distinct"]]]'],
    ['nodes[distinct , distinct ] {}', '["from","nodes",["extract",["distinct","distinct"]]]'],
    ['nodes { limit = 1 and order is null }', '["from","nodes",["and",["=","limit",1],["null?","order",true]]]'],
  ])('%s', (text, expected) => expect(ast(text)).toBe(expected));
});

describe('conditions', () => {
  test.each([
    ['a = "x" or b = "y" and c = "z"', '["or",["=","a","x"],["and",["=","b","y"],["=","c","z"]]]'],
    ['a = 1 or b = 2 or c = 3', '["or",["=","a",1],["=","b",2],["=","c",3]]'],
    ['(a = 1 or b = 2) or c = 3', '["or",["or",["=","a",1],["=","b",2]],["=","c",3]]'],
    ['!a = 1 and !!(b = 2)', '["and",["not",["=","a",1]],["not",["not",["=","b",2]]]]'],
    ['a != 1', '["not",["=","a",1]]'],
    ['a !~ "x"', '["not",["~","a","x"]]'],
    ['a ~* "x" and a !~* "y"', '["and",["~*","a","x"],["not",["~*","a","y"]]]'],
    ['a < now() and b >= now ( ) - 02 hours', '["and",["<","a",["now"]],[">=","b",["-",["now"],"2h"]]]'],
    ['a<now()-1d', '["<","a",["-",["now"],"1d"]]'],
    ['metrics.time."a b" > 1', '[">","metrics.time.\\"a b\\"",1]'],
    ['a ~> ["x", "y"]', '["~>","a",["x","y"]]'],
    ['a>=1 and a<=2 and a>3 and a<4', '["and",[">=","a",1],["<=","a",2],[">","a",3],["<","a",4]]'],
    ['a is null and b is not null', '["and",["null?","a",true],["null?","b",false]]'],
    ['latest_report? = true', '["=","latest_report?",true]'],
    ['path = ["a", 0, "b"]', '["=","path",["a",0,"b"]]'],
    ['a in [1, 2.0, "x", false]', '["in","a",["array",[1,2.0,"x",false]]]'],
    [
      'a in resources[b] { c = 1 limit 2 }',
      '["in","a",["from","resources",["extract",["b"],["=","c",1]],["limit",2]]]',
    ],
    ['[a, b] in facts[c, d] { }', '["in",["a","b"],["from","facts",["extract",["c","d"]]]]'],
    [
      'resources { type = "x" } and !facts { }',
      '["and",["subquery","resources",["=","type","x"]],["not",["subquery","facts"]]]',
    ],
    ['facts = "a field of that name"', '["=","facts","a field of that name"]'],
  ])('%s', (text, expected) => expect(condition(text)).toBe(expected));
});

describe('literals keep what was written', () => {
  test.each([
    ['a = 123456789012345678901234567890', '123456789012345678901234567890'],
    ['a = -0.10', '-0.10'],
    ['a = 1.5E-3', '1.5E-3'],
    ['a = 007', '7'],
    [String.raw`a = "q\"s\\ \u00e9\n"`, String.raw`"q\"s\\ é\n"`],
    [String.raw`a = 'q\'s "d" \n \\'`, String.raw`"q's \"d\" \\n \\\\"`],
    ['a = "two\nlines"', String.raw`"two\nlines"`],
  ])('%s', (text, value) => expect(condition(text)).toBe(`["=","a",${value}]`));
});

describe('dotted fields keep their spelling', () => {
  test.each([
    'facts.os.family',
    'facts."two.dots"."b c"',
    String.raw`facts."a\"b"`,
    'facts."a"b".c',
    'facts.disks[0]',
    'facts.networking.interfaces.match("eth\\d").mtu',
    'trusted.extensions.pp_role',
    'parameters.a-b/c:d',
    'facts.ü',
  ])('%s', (field) =>
    expect(parsePql(`inventory[${field}] { ${field} = 1 }`)).toEqual(
      expect.arrayContaining([['extract', [field], ['=', field, expect.anything()]]]),
    ),
  );
});

describe('the moment of a query', () => {
  test.each([
    ['nodes {} as of "2 days ago"', '2 days ago'],
    ["nodes{limit 1}as of\n'2026-01-31T12:00:00Z' ", '2026-01-31T12:00:00Z'],
    ['nodes {} as of now()', ['now']],
    ['nodes {} as of now() - 02 hours', ['-', ['now'], '2h']],
    ['nodes {}', undefined],
  ])('%j', (text, asOf) => {
    expect(parseDatedPql(text).asOf).toEqual(asOf);
    expect(parseDatedPql(text).query[1]).toBe('nodes');
  });

  test.each([
    ['nodes {} as of', 1, 15, 'a blank'],
    ['nodes {} as of yesterday', 1, 16, 'a quoted text'],
    ['nodes {} as of"yesterday"', 1, 15, 'a blank'],
    ['nodes {} as of 5', 1, 16, 'a quoted text'],
    ['nodes {} as  of "yesterday"', 1, 10, "'as of'"],
    ['nodes {} as of "yesterday" limit 1', 1, 28, 'the end of the query'],
    ['nodes { as of "yesterday" }', 1, 12, "'='"],
    ['nodes { certname in facts[certname] {} as of "yesterday" }', 1, 40, "'}'"],
    ['as of "yesterday" nodes {}', 1, 1, "'nodes'"],
  ])('%s is refused', (text, line, column, expected) => {
    expect(refusal(text)).toMatchObject({ line, column, expected: expect.arrayContaining([expected]) as unknown });
  });

  test('is not in the strict language', () => {
    expect(() => parseDatedPql('nodes {} as of now()', defaultLimits, strictLanguage)).toThrow("found 'as'");
  });

  test('does not move the places in a query', () => {
    expect(parsePql('nodes { certname = "a" } as of "yesterday"')).toEqual(parsePql('nodes { certname = "a" }'));
  });
});

describe('refusals name the place and what was expected there', () => {
  test.each([
    ['nodes }', 1, 7, "'{'"],
    ['nodes { certname = }', 1, 20, 'a quoted text'],
    ['nodes {\n  certname ~ 5 }', 2, 14, 'a quoted text'],
    ['nodes { certname = "a" AND certname = "b" }', 1, 24, "'and'"],
    ['nodes { certname = "a" and(certname = "b") }', 1, 27, 'a blank'],
    ['nodes { certname = "unclosed }', 1, 31, `'"'`],
    ['nodes { certname in [] }', 1, 22, 'a quoted text'],
    ['nodes { a = 1. }', 1, 14, 'digits after the point'],
    ['nodes { a = 1e5 }', 1, 14, "'}'"],
    ['nodes { a = null }', 1, 13, "'true'"],
    ['nodes[certname] { group by certname order by certname group by certname }', 1, 55, "'limit'"],
    ['nodes[certname] { order by certname group by certname }', 1, 37, "'limit'"],
    ['nodes {} nodes {}', 1, 10, 'the end of the query'],
    ['nodes # comment\n{}', 1, 7, "'{'"],
    ['nodes[certname,] {}', 1, 16, 'a field'],
    ['inventory { facts. = 1 }', 1, 19, 'a path element'],
    ['', 1, 1, "'nodes'"],
  ])('%j', (text, line, column, expected) => {
    const found = refusal(text);
    expect([found.line, found.column]).toEqual([line, column]);
    expect(found.expected).toContain(expected);
    expect(found.message).toMatch(new RegExp(`^PQL parse error at line ${line}, column ${column}:`));
  });

  test.each([
    ['node {}', 'nodes'],
    ['Fact_content {}', 'fact_contents'],
    ['nodes { a = 1 AND b = 2 }', 'and'],
    ['nodes[cuont()] {}', 'count'],
  ])('%s is told the nearest name %s', (text, nearest) => {
    expect(refusal(text).message).toContain(`Did you mean '${nearest}'?`);
  });

  test('the line and a mark below the place are shown', () => {
    expect(refusal('nodes {\n  a == 1\n}').message).toContain('  a == 1\n     ^\n');
  });

  test('an unknown escape, a clause in a sub-query', () => {
    expect(refusal(String.raw`nodes { a = "\q" }`).message).toContain('not an escape');
    expect(refusal('nodes { facts { name = "x" limit 1 } }').message).toContain('field in facts[field]');
  });
});

describe('large queries', () => {
  test('take time in proportion to their length', () => {
    const names = (count: number) =>
      `nodes { ${Array.from({ length: count }, (_, i) => `certname = "n${i}"`).join(' or ')} }`;
    expect(parsePql(names(14_000))[2]).toHaveLength(14_001);
    const refused = (text: string): void => expect(() => parsePql(text)).toThrow(Fault);
    // A parser that backtracks too far would start again at each position of these texts.
    for (const bad of ['nodes { facts."a"', '(', '!', 'nodes { a = [', 'nodes { a in nodes[b] {']) {
      refused(bad.repeat(100));
    }
    // For ten times the text, the growth is about 10 if the time is linear, and about 100 if it is quadratic.
    expect(growth((size) => void parsePql(names(size)), 1_000)).toBeLessThan(45);
    expect(growth((size) => refused(`inventory { facts."${'a"b'.repeat(size)}`), 10_000)).toBeLessThan(45);
  });

  test('are refused when nested beyond what any stack holds', () => {
    for (const open of ['(', '!', 'nodes {', '!(']) {
      expect(() => parsePql(`nodes { ${open.repeat(100_000)}`)).toThrow('more than 500 levels of nesting');
    }
    expect(() => parsePql(`nodes { a = ${'['.repeat(100_000)}`)).toThrow('more than 500 levels of nesting');
  });
});

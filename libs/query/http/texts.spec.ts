import { Readable } from 'node:stream';
import fc from 'fast-check';
import { stringifyAst } from '../ast/json';
import { parseAst } from '../ast/parse-ast';
import { parsePql } from '../pql';
import { astText, nestChains } from './ast-text';
import { prettyJson } from './pretty-json';
import { csvText, listText, recordText } from './rows-text';

describe('pretty JSON', () => {
  test('each member of a map has a line; a list is on one line', () => {
    expect(prettyJson('{"a": {"b":[1.0, "x:{,"],"c":[]},"d":{ },"e":[{"f":null},{"g":"\\""}]}')).toBe(
      [
        '{',
        '  "a" : {',
        '    "b" : [ 1.0, "x:{," ],',
        '    "c" : [ ]',
        '  },',
        '  "d" : { },',
        '  "e" : [ {',
        '    "f" : null',
        '  }, {',
        '    "g" : "\\""',
        '  } ]',
        '}',
      ].join('\n'),
    );
  });

  test('changes no value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(prettyJson(text))).toEqual(JSON.parse(text));
        expect(prettyJson(prettyJson(text))).toBe(prettyJson(text));
      }),
    );
  });
});

test('a spreadsheet has no formulas; numbers stay', async () => {
  const text = async (forSpreadsheet: boolean): Promise<string> => {
    const cells = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', '-1', '+49.5', '-', 'a=1', '', -1, [1], null];
    const rows = cells.map((cell) => JSON.stringify({ cell }));
    let all = '';
    for await (const piece of csvText(Readable.from([rows]) as AsyncIterable<string[]>, forSpreadsheet)) all += piece;
    return all;
  };
  expect((await text(true)).split('\r\n')).toEqual([
    ...['cell', "'=1+1", "'+1+1", "'-1+1", "'@SUM(1)", "'\t=1", '"\'\r=1"', '-1', '+49.5', "'-", 'a=1', '""', '-1'],
    ...['[1]', '""', ''],
  ]);
  expect(await text(false)).not.toContain("'");
});

describe('ast_only', () => {
  test.each([
    ['[1, 01.5]'.replace('01', '1'), '[1,1.5]'],
    ['[2.50, 1.0, 10000000.0, 0.0001, 1.0E10, -0.0]', '[2.5,1.0,1.0E7,1.0E-4,1.0E10,-0.0]'],
    [
      '[123456789012345678901234567890, 0.1000000000000000055, 1e400]',
      '[123456789012345678901234567890,0.1,"Infinity"]',
    ],
    ['{"a": [true, null, "é"], "b": {}, "c": []}', '{"a":[true,null,"é"],"b":{},"c":[]}'],
  ])('%s is spelt %s', (text, spelt) => expect(astText(parseAst(text))).toBe(spelt));

  // Number of operands, and the nested chain.
  test.each([
    [2, '(1 2)'],
    [3, '(1 2 3)'],
    [4, '(1 (2 3) 4)'],
    [5, '(1 (2 (3 4) 5))'],
    [6, '(1 2 (3 (4 5) 6))'],
    [7, '(1 (2 3) (4 (5 6) 7))'],
    [12, '(1 2 (3 (4 5) (6 (7 8) (9 (10 11) 12))))'],
  ])('a chain of %i operands nests as %s', (count, nesting) => {
    const chain = Array.from({ length: count }, (_, i) => `a = ${i + 1}`).join(' or ');
    const shown = stringifyAst(nestChains(parsePql(`nodes { ${chain} }`)[2]!));
    expect(
      shown
        .replace(/\["=","a",(\d+)\]/g, '$1')
        .replace(/\["or",/g, '(')
        .replaceAll(']', ')')
        .replaceAll(',', ' '),
    ).toBe(nesting);
  });
});

describe('rows as a list', () => {
  async function* chunks(...all: string[][]): AsyncGenerator<string[]> {
    yield* all;
  }
  async function text(pretty: boolean, ...all: string[][]): Promise<string> {
    let whole = '';
    for await (const piece of listText(chunks(...all), pretty)) whole += piece;
    return whole;
  }

  test('plain and pretty, with and without rows', async () => {
    expect(await text(false)).toBe('[]');
    expect(await text(true)).toBe('[ ]');
    expect(await text(false, ['1', '2'], ['3'])).toBe('[1,2,3]');
    expect(await text(true, ['{"a":1}'], ['{}'])).toBe('[ {\n  "a" : 1\n}, { } ]');
  });

  test('a single record spells fractions as doubles, whole numbers as they are', () => {
    const row = '{"a":[0.0000000015,1000000000000000000000,1.0,-0.250,1e3],"b":"0.0000000015"}';
    expect([...recordText(row)].join('').replace(/\s/g, '')).toBe(
      '{"a":[1.5E-9,1000000000000000000000,1.0,-0.25,1000.0],"b":"0.0000000015"}',
    );
  });
});

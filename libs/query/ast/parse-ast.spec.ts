import { displayAst, NumberText, stringifyAst } from './json';
import { parseAst } from './parse-ast';

const problem = (text: string): string => {
  try {
    parseAst(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${text} was accepted`);
};

describe('parseAst', () => {
  it.each([
    '["=","certname","x"]',
    '[1.0,1e21,-0.0,123456789012345678901234567890]',
    '{"a":{"b":[true,false,null,""]},"__proto__":1}',
    '["\\u0000","\\ud83e\\udd8a","\\n\\t\\"\\\\"]',
  ])('keeps %s as it is written', (text) => {
    expect(JSON.parse(stringifyAst(parseAst(text)))).toEqual(JSON.parse(text));
    expect(stringifyAst(parseAst(text)).length).toBeLessThanOrEqual(text.length);
  });

  it('keeps the text of numbers', () => {
    expect(stringifyAst(parseAst('[1.0, 1E5, 12345678901234567890]'))).toBe('[1.0,1E5,12345678901234567890]');
    expect(new NumberText('1e5').isInteger).toBe(false);
  });

  it.each([
    ['[', 1, 2, 'Unexpected end-of-input: expected close marker for Array'],
    ['["=","certname","x"', 1, 20, 'Unexpected end-of-input: expected close marker for Array'],
    ['[,]', 1, 3, "Unexpected character (',' (code 44)): expected a valid value"],
    ['["=" "x"]', 1, 7, `Unexpected character ('"' (code 34)): was expecting comma to separate Array entries`],
    ['certname = x', 1, 9, "Unrecognized token 'certname': was expecting"],
    ['["=","x"],', 1, 11, "Unexpected character (',' (code 44))"],
    ['["=","x"]]', 1, 11, "Unexpected close marker ']'"],
    ['["a"}', 1, 6, "Unexpected close marker '}': expected ']' (for Array starting at"],
    ['[01]', 1, 3, 'Invalid numeric value: Leading zeroes not allowed'],
    ['[1.]', 1, 4, 'Decimal point not followed by a digit'],
    ['[-]', 1, 4, 'expected digit (0-9) to follow minus sign'],
    ['["a\\q"]', 1, 6, "Unrecognized character escape 'q' (code 113)"],
    ['{"a" 1}', 1, 7, 'was expecting a colon to separate field name and value'],
    ['{a:1}', 1, 3, 'was expecting double-quote to start field name'],
    ['["=",\n"a" "b"]', 2, 6, 'was expecting comma to separate Array entries'],
    ['["x', 1, 4, 'was expecting closing quote for a string value'],
  ])('says of %s what is wrong and where', (text, line, column, what) => {
    const message = problem(text);
    expect(message).toContain(`Json parse error at line ${line}, column ${column}:`);
    expect(message).toContain(what);
  });

  it('refuses a second query, and nesting without end', () => {
    expect(problem('["=","a","b"] []')).toBe(
      'Only one query may be sent in a request. Found JSON ([]) after the query ["=" "a" "b"]',
    );
    expect(problem('['.repeat(5000))).toContain('more than 500 levels of nesting');
  });

  it('shows queries as error texts do', () => {
    expect(displayAst(parseAst('["and",[">","failures",0],{"a":null}]'))).toBe('["and" [">" "failures" 0] {"a" nil}]');
  });
});

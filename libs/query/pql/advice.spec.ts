import { isFault } from '#fault';
import { parsePql } from './parse-pql';

function refusal(text: string): string {
  try {
    parsePql(text);
  } catch (error) {
    if (isFault(error)) return error.message;
    throw error;
  }
  return 'read';
}

test.each([
  ['nodes { certname = web1 }', 'Put text in quotes: "web1".'],
  ['nodes { certname in [web1.example] }', 'Put text in quotes: "web1.example".'],
  ['nodes { certname == "web1" }', "Equality is written '=', not '=='."],
  ['nodes { certname = "web1"', "The '{' at line 1, column 7 is not closed."],
  ['nodes {\n  (certname = "}" or certname = "a\\"("', "The '(' at line 2, column 3 is not closed."],
  ['nodes { certname = "a" && expired is null }', "Conditions are joined by 'and' and 'or'."],
  ['nodes [certname, report', "The '[' at line 1, column 7 is not closed."],
])('%j', (text, advice) => expect(refusal(text).endsWith(advice)).toBe(true));

test.each(['nodes { certname & 1 }', 'nodes { certname = "a" } x', 'nodes { certname = }'])(
  'nothing is guessed of %j',
  (text) => expect(refusal(text)).toMatch(/found '[^']+'\.$/),
);

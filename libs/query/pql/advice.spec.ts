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
  ['nodes { certname = "web1 }', 'The " at line 1, column 20 is not closed.'],
  ["nodes { certname = 'web1 }", "The ' at line 1, column 20 is not closed."],
  ['nodes { certname = “web1” }', 'Quotes are " or \', not “.'],
  ['nodes { certname <> "web1" }', "The opposite of '=' is written '!='."],
  ['nodes { deactivated = null }', "Write 'is null' or 'is not null' behind the field."],
  ['nodes { deactivated is none }', "Write 'is null' or 'is not null'."],
  ['reports { noop = True }', 'Write true.'],
  ['nodes { not certname = "a" }', 'Negation is written \'!\': !(certname = "a").'],
  ['nodes { certname like "web%" }', 'Write \'~\' and a regular expression: certname ~ "^web".'],
  ['nodes { certname in ("a", "b") }', 'Write a list of values in [ ]: ["a", "b"].'],
  ['nodes { certname = "a" or "b" }', 'Each condition names its field: certname = "a" or certname = "b".'],
  ['nodes { "certname" = "a" }', 'The name of a field has no quotes.'],
  ['nodes { fact { name = "x" } }', "Did you mean the entity 'facts'?"],
  ['nodes { certname = "a" }}', 'This } closes nothing.'],
  ['inventory { certname ~ "a" order by facts.v}', 'A dotted name ends at the next blank: write a blank before the }.'],
  ['reports { order by end_time descending }', "Write 'asc' or 'desc'."],
  ['SELECT certname FROM nodes', 'A query begins with its entity: nodes[certname] { … }.'],
])('%j', (text, advice) => expect(refusal(text).endsWith(advice)).toBe(true));

test.each(['nodes { certname & 1 }', 'nodes { certname = "a" } x', 'nodes { certname = }'])(
  'nothing is guessed of %j',
  (text) => expect(refusal(text)).toMatch(/found '[^']+'\.$/),
);

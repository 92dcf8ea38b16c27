/** Tests the error messages that a newcomer gets for queries in JSON. */
import { isFault } from '#fault';
import { compileQuery, parseAst } from '../compile';

function hintOf(entity: string, text: string): string | undefined {
  try {
    compileQuery({ entity, ast: parseAst(text) }, { schema: 'g', edition: 'full', dialect: 'neutral' });
  } catch (error) {
    if (isFault(error)) return error.hint;
    throw error;
  }
  return 'taken';
}

test.each([
  [
    'nodes',
    'certname = "web1"',
    'JSON queries begin with [, such as ["=", "certname", "web1"]. PQL is asked at /pdb/query/v4.',
  ],
  ['nodes', '["=","certname","web1",]', 'There is a comma too many before the ].'],
  ['nodes', '["=","certname","web1', 'The " at line 1, column 17 is not closed.'],
  ['nodes', '["=","certname",“web1”]', 'JSON takes text in plain double quotes, not in “.'],
  ['nodes', '["=","certname","a"],["=","certname","b"]', 'Join several conditions: ["and", condition, …].'],
  ['nodes', '["in","certname",["web1","web2"]]', 'Write ["in","certname",["array",["web1","web2"]]].'],
  [
    'nodes',
    '["in","certname",["select_facts",["=","name","load"]]]',
    'Write ["in", "certname", ["extract", "certname", ["select_facts", condition]]].',
  ],
  [
    'nodes',
    '["in","certname",["extract","certname",["from","facts",["=","name","load"]]]]',
    'Write ["in", field, ["from", entity, ["extract", field, condition]]].',
  ],
  [
    'nodes',
    '["=","facts.os.family","Debian"]',
    'For a fact of the node write ["fact", "os.family"], in PQL inventory { facts.os.family = … }.',
  ],
  ['inventory', '["=","fact.os.family","Debian"]', "Did you mean 'facts.os.family'?"],
  ['nodes', '["=",["facts","load"],0.5]', 'Pairs are ["fact", name] and ["parameter", name].'],
  ['resources', '["=","parameter.mode","0644"]', "Did you mean 'parameters.mode'?"],
  ['nodes', '["extract",["count()"]]', 'A function is a list: ["function", "count"] or ["function", "count", field].'],
])('%s, %s', (entity, text, hint) => expect(hintOf(entity, text)?.startsWith(hint)).toBe(true));

test.each([
  ['inventory', '["=","facts.os.family","Debian"]'],
  ['nodes', '["=",["fact","os.family"],"Debian"]'],
  ['nodes', '["in","certname",["array",["web1","web2"]]]'],
  ['nodes', '["in","certname",["extract","certname",["select_facts",["=","name","load"]]]]'],
  ['nodes', '["in","certname",["from","facts",["extract","certname",["=","name","load"]]]]'],
])('what the hints say is right: %s, %s', (entity, text) => expect(hintOf(entity, text)).toBe('taken'));

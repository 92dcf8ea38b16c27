import type { FaultCode } from '#fault';
import { answered } from './http-client';
import type { Example } from './example';
import type { LittleService } from './little-service';

/** A mistake of newcomers, in each language in which it is possible. */
interface Mistake {
  readonly title: string;
  readonly queries: readonly (readonly [FaultCode, string])[];
}

export interface AnsweredMistake {
  readonly title: string;
  readonly examples: readonly Example[];
}

/** The ten most likely mistakes. */
const mistakes: readonly Mistake[] = [
  {
    title: 'A misspelt field',
    queries: [
      ['query.field', '["from", "nodes", ["=", "certnam", "web1"]]'],
      ['query.field', 'nodes { certnam = "web1" }'],
    ],
  },
  {
    title: 'A misspelt or wrong entity',
    queries: [
      ['query.entity', '["from", "node", ["=", "certname", "web1"]]'],
      ['pql.syntax', 'node { certname = "web1" }'],
    ],
  },
  {
    title: 'A text without quotes',
    queries: [
      ['query.json', '["from", "nodes", ["=", "certname", web1]]'],
      ['pql.syntax', 'nodes { certname = web1 }'],
    ],
  },
  { title: 'Single quotes in JSON', queries: [['query.json', "['from', 'nodes', ['=', 'certname', 'web1']]"]] },
  {
    title: 'A missing bracket',
    queries: [
      ['query.json', '["from", "nodes", ["=", "certname", "web1"]'],
      ['pql.syntax', 'nodes { certname = "web1"'],
    ],
  },
  {
    title: '`==` in place of `=`',
    queries: [
      ['query.operator', '["from", "nodes", ["==", "certname", "web1"]]'],
      ['pql.syntax', 'nodes { certname == "web1" }'],
    ],
  },
  {
    title: 'The operator in the middle, in JSON',
    queries: [['query.operator', '["from", "nodes", ["certname", "=", "web1"]]']],
  },
  {
    title: '`=` with a list of values',
    queries: [
      ['query.value', '["from", "nodes", ["=", "certname", ["web1", "web2"]]]'],
      ['query.value', 'nodes { certname = ["web1", "web2"] }'],
    ],
  },
  {
    title: 'An operator that the type of the field does not have',
    queries: [
      ['query.operator', '["from", "nodes", ["~", "report_timestamp", "2026-01"]]'],
      ['query.operator', 'nodes { certname > "web" }'],
    ],
  },
  {
    title: 'A text where a number is needed, or the other way round',
    queries: [
      ['query.value', '["from", "resources", ["=", "line", "12"]]'],
      ['query.value', 'inventory { certname = 12 }'],
    ],
  },
];

export async function answeredMistakes({ url }: LittleService): Promise<AnsweredMistake[]> {
  const found: AnsweredMistake[] = [];
  for (const { title, queries } of mistakes) {
    const examples: Example[] = [];
    for (const [code, query] of queries) {
      examples.push(await answered(code, url, '/pdb/query/v4', { parameters: { query }, given: query }));
    }
    found.push({ title, examples });
  }
  return found;
}

import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import {
  anything,
  Described,
  inJson,
  inQuery,
  integer,
  integerBetween,
  list,
  object,
  oneOfTexts,
  type Operation,
  text,
} from '#openapi';
import { bindPlanIndependent, type FactPath, type Fragment, readFactPath, readNumber, sql } from '#query';
import { choiceDescription } from '../http/describe-choice';
import { baseNodes, factLeaves, matches } from '../nodes/chosen-nodes';
import { choiceParameters, type NodeChoice, readChoice } from '../nodes/node-choice';
import { valueCounts } from '../nodes/value-counts';
import { FleetReader } from '../reading/fleet-reader';

const mostValues = 1_000;
/** The types of values. Each key is a letter in the column `fact_contents.type`. */
const types = { s: 'string', i: 'integer', f: 'float', b: 'boolean', n: 'null' } as const;

const describeFactDistribution: Operation = {
  id: 'getFactDistribution',
  tag: 'console',
  summary: 'The number of nodes with each value of a fact',
  description:
    '`others` is the number of nodes with other values, or with values of more than 1,000 characters. `missing` is the number of nodes that have no single value at the path.',
  parameters: [
    inQuery('path', 'The path of a single value. Separate the parts of the path by dots: `os.release.full`.', text(), {
      required: true,
    }),
    inQuery('limit', 'The maximum number of values. Default: 50.', integerBetween(1, mostValues)),
    ...choiceDescription,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The values, the most frequent first.',
      object({
        nodes: integer,
        values: list(object({ value: anything, type: oneOfTexts(Object.values(types)), nodes: integer })),
        others: integer,
        missing: integer,
      }),
    ),
  },
  examples: { releases: { summary: 'Releases of the operating system', parameters: { path: 'os.release.full' } } },
};

@Controller('nodeledger/v1/fact-distribution')
export class FactDistributionController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeFactDistribution)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limits, target } = this.fleet;
    const received = this.fleet.receive(request, reply, [...choiceParameters, 'path', 'limit']);
    const { parameters } = received;
    const path = readFactPath(parameters.text('path') ?? '', limits);
    const limit = readNumber(parameters, 'limit', { absent: 50, most: mostValues });
    await received.answer(distributionSql(readChoice(parameters, target), path, limit));
  }
}

function distributionSql(choice: NodeChoice, { keys }: FactPath, limit: number): Fragment {
  const names = sql`${bindPlanIndependent(JSON.stringify(types), 'jsonb')}`;
  const total = sql`(SELECT count(*) FROM chosen)`;
  const { ctes, members } = valueCounts({
    counted: sql`SELECT c.value, c.type, count(*) AS nodes FROM chosen
      JOIN (SELECT c.node, c.value, c.type FROM ${factLeaves(keys)}) c USING (node) GROUP BY c.value, c.type`,
    total,
    most: bindPlanIndependent(String(limit), 'bigint'),
    shown: sql`json_build_object('value', value, 'type', ${names} ->> type::text, 'nodes', nodes)`,
  });
  return sql`WITH ${baseNodes(choice)}, chosen AS (SELECT node FROM base WHERE ${matches(choice)}), ${ctes}
    SELECT json_build_object('nodes', ${total}, ${members})::text AS row`;
}

import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described, flag, inJson, inQuery, integer, list, object, type Operation, text } from '#openapi';
import { bind, type Fragment, itself, packageVersionKey, positions, refusedParameter, sql, table } from '#query';
import { choiceDescription } from '../http/describe-choice';
import { baseNodes, matches } from '../nodes/chosen-nodes';
import { choiceParameters, type NodeChoice, readChoice } from '../nodes/node-choice';
import { FleetReader } from '../reading/fleet-reader';

const mostVersions = sql`200`;
const longestName = 1_000;

const describePackageVersions: Operation = {
  id: 'getPackageVersions',
  tag: 'console',
  summary: 'The number of nodes with each version of a package',
  description:
    '`newest` marks the newest version of each provider. `others` is the number of versions that the answer does not contain.',
  parameters: [inQuery('name', 'The name of the package.', text(), { required: true }), ...choiceDescription],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The versions, the most frequent first.',
      object({
        nodes: integer,
        versions: list(object({ version: text(), provider: text(), nodes: integer, newest: flag })),
        others: integer,
      }),
    ),
  },
  examples: { openssl: { summary: 'Versions of openssl', parameters: { name: 'openssl' } } },
};

@Controller('nodeledger/v1/package-versions')
export class PackageVersionsController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describePackageVersions)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, [...choiceParameters, 'name']);
    const name = received.parameters.text('name') ?? '';
    if (name === '' || name.length > longestName) throw refusedParameter(`name has 1 to ${longestName} characters.`);
    const choice = readChoice(received.parameters, this.fleet.target);
    await received.answer(versionsSql(choice, name, received.isPast ? pastInventories : table('package_inventory')));
  }
}

const validSince = (row: Fragment): Fragment => sql`${row}.since < ${itself('offset_of')}(${positions}, ${row}.node)`;

/**
 * Selects the past inventories from the tables, so that PostgreSQL can search them with its indexes on packages. The
 * function `package_inventory_at` would read the whole inventory of each node.
 */
const pastInventories = sql`(SELECT r.node, r.packages FROM ${itself('package_inventory')} r WHERE ${validSince(sql`r`)}
  UNION ALL SELECT p.node, p.packages FROM ${itself('package_inventory_past')} p
    WHERE ${validSince(sql`p`)} AND p.until >= ${itself('offset_of')}(${positions}, p.node))`;

function versionsSql(choice: NodeChoice, name: string, inventories: Fragment): Fragment {
  const wanted = bind(name, 'text');
  return sql`WITH ${baseNodes(choice)}, chosen AS (SELECT node FROM base WHERE ${matches(choice)}),
    found AS (SELECT node, p.version, p.provider FROM ${table('packages')} p
      CROSS JOIN LATERAL (SELECT i.node FROM ${inventories} i WHERE i.packages @> ARRAY[p.package] OFFSET 0) i JOIN chosen USING (node)
      WHERE "left"(p.name, 200) = "left"(${wanted}, 200) AND p.name = ${wanted}),
    counted AS (SELECT version, provider, count(DISTINCT node) AS nodes FROM found GROUP BY version, provider),
    sorted AS (SELECT *, rank() OVER (PARTITION BY provider
      ORDER BY ${packageVersionKey(sql`version`, sql`provider`)} DESC NULLS LAST) = 1 AS newest FROM counted),
    shown AS (SELECT * FROM sorted ORDER BY nodes DESC, version, provider LIMIT ${mostVersions})
    SELECT json_build_object('nodes', (SELECT count(DISTINCT node) FROM found),
      'versions', coalesce((SELECT json_agg(json_build_object('version', version, 'provider', provider, 'nodes', nodes, 'newest', newest)
        ORDER BY nodes DESC, version, provider) FROM shown), '[]'),
      'others', (SELECT count(*) FROM counted) - (SELECT count(*) FROM shown))::text AS row`;
}

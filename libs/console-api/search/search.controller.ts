import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import {
  Described,
  inJson,
  inQuery,
  integerBetween,
  list,
  object,
  oneOfTexts,
  type Operation,
  orNull,
  text,
} from '#openapi';
import { asOfParameter, readNumber, refusedParameter } from '#query';
import { nodeStatuses } from '../nodes/node-status';
import { readChoice } from '../nodes/node-choice';
import { FleetReader } from '../reading/fleet-reader';
import { hitKinds, searchSql } from './search-sql';

const longestText = 200;
const mostHits = 50;

const describeSearch: Operation = {
  id: 'search',
  tag: 'console',
  summary: 'Searches nodes, facts, classes and packages by a part of the name',
  description:
    'Names that begin with the text come first. The text `role=kube` finds nodes whose fact `role` has the value kube. `status` is null for facts, classes and packages.',
  parameters: [
    inQuery('q', 'A part of the name.', text(), { required: true }),
    inQuery('limit', 'The maximum number of hits of each kind. Default: 8.', integerBetween(1, mostHits)),
    asOfParameter,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The hits, by kind.',
      object({
        hits: list(object({ kind: oneOfTexts(hitKinds), name: text(), status: orNull(oneOfTexts(nodeStatuses)) })),
      }),
    ),
  },
  examples: { part: { summary: 'Names with web', parameters: { q: 'web' } } },
};

@Controller('nodeledger/v1/search')
export class SearchController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeSearch)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limits, target } = this.fleet;
    const received = this.fleet.receive(request, reply, ['q', 'limit', 'unreported_after']);
    const { parameters } = received;
    const q = parameters.text('q')?.trim() ?? '';
    if (q === '' || q.length > longestText) throw refusedParameter(`q has 1 to ${longestText} characters.`);
    const limit = readNumber(parameters, 'limit', { absent: 8, most: mostHits });
    await received.answer(searchSql(q, limit, readChoice(parameters, target), limits));
  }
}

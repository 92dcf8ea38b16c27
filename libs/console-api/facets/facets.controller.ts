import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described } from '#openapi';
import { choiceParameters, readChoice } from '../nodes/node-choice';
import { readNodeField } from '../nodes/node-field';
import { FleetReader } from '../reading/fleet-reader';
import { readTexts } from '../reading/parameters';
import { describeFacets, mostFacets } from './describe-facets';
import { facetsSql } from './facets-sql';

/**
 * Longest age of an answer in milliseconds. Clients share answers, because every open list of nodes sends this request.
 */
const sharedMs = 1_000;

@Controller('nodeledger/v1/facets')
export class FacetsController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeFacets)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limits, target } = this.fleet;
    const received = this.fleet.receive(request, reply, [...choiceParameters, 'fields']);
    const choice = readChoice(received.parameters, target);
    const fields = readTexts(received.parameters, 'fields', mostFacets).map((name) => readNodeField(name, limits));
    await received.answerShared(sharedMs, (one) => one(facetsSql(choice, fields)));
  }
}

import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described } from '#openapi';
import { choiceParameters, readChoice } from '../nodes/node-choice';
import { FleetReader } from '../reading/fleet-reader';
import { describeSummary } from './describe-summary';
import { dayBeforeSql, summarySql } from './summary-sql';

/** Longest age of an answer in milliseconds. Clients share answers, because every open page sends this request. */
const sharedMs = 1_000;

@Controller('nodeledger/v1/summary')
export class SummaryController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeSummary)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, choiceParameters);
    const choice = readChoice(received.parameters, this.fleet.target);
    await received.answerShared(sharedMs, async (one) => {
      const now = await one(summarySql(choice));
      return `${now.slice(0, -1)}, "day_before" : ${await one(dayBeforeSql(choice))}}`;
    });
  }
}

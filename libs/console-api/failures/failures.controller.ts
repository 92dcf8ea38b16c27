import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described, flag, integer, list, object, type Operation, orNull, text, time } from '#openapi';
import { readNumber } from '#query';
import { choiceDescription } from '../http/describe-choice';
import { choiceParameters, readChoice } from '../nodes/node-choice';
import { FleetReader } from '../reading/fleet-reader';
import { failuresSql } from './failures-sql';

const mostCauses = 100;
/**
 * Longest age of an answer. Older answers suffice here, because nodes usually run every half hour, and the statement is
 * expensive.
 */
const sharedMs = 5_000;

const describeFailures: Operation = {
  id: 'getFailures',
  tag: 'console',
  summary: 'Failures of the latest runs, by cause',
  description:
    'The answer groups the failures in the latest runs of failed nodes by cause. Failures have the same cause if the resource, the file and the line are equal, and the messages are equal without numbers and names of nodes. `since` and `runs` come from the last 48 runs of five nodes. `since_exact` is false if all these runs have failed. `certnames` contains at most ten nodes. `others` is the number of further causes. `complete` is false if the counts are too low, because there are more than 20,000 failed events, or more than 2,000 failed reports without a failed event. The answer is at most 5 seconds old.',
  parameters: [
    {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of causes. Default: 20.',
      schema: { type: 'integer', minimum: 1, maximum: mostCauses },
    },
    ...choiceDescription,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: {
      description: 'The causes. The cause with most nodes comes first.',
      content: {
        'application/json': object({
          causes: list(
            object({
              key: text(),
              resource_type: orNull(text()),
              resource_title: orNull(text()),
              message: orNull(text()),
              file: orNull(text()),
              line: orNull(integer),
              class: orNull(text()),
              nodes: integer,
              certnames: list(text()),
              since: orNull(time),
              since_exact: flag,
              runs: integer,
              latest_report: text(),
            }),
          ),
          others: integer,
          complete: flag,
        }),
      },
    },
  },
  examples: { all: { summary: 'All causes' } },
};

@Controller('nodeledger/v1/failures')
export class FailuresController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeFailures)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, [...choiceParameters, 'limit']);
    const limit = readNumber(received.parameters, 'limit', { absent: 20, most: mostCauses });
    const choice = readChoice(received.parameters, this.fleet.target);
    await received.answerShared(sharedMs, (one) => one(failuresSql(choice, limit)));
  }
}

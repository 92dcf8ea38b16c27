import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import {
  Described,
  flag,
  inJson,
  inQuery,
  integer,
  integerBetween,
  list,
  object,
  oneOfTexts,
  type Operation,
  orNull,
  type Parameter,
  text,
  time,
} from '#openapi';
import { readNumber, refusedParameter } from '#query';
import { choiceDescription } from '../http/describe-choice';
import { choiceParameters, readChoice } from '../nodes/node-choice';
import { FleetReader } from '../reading/fleet-reader';
import { failureGroupsSql, failuresSql } from './failures-sql';

const mostCauses = 100;
/**
 * Longest age of an answer in milliseconds. It is longer than for other answers, because the statement is expensive,
 * and nodes usually run only every half hour.
 */
const sharedMs = 5_000;

const limitOf = (noun: string): Parameter =>
  inQuery('limit', `The maximum number of ${noun}. Default: 20.`, integerBetween(1, mostCauses));

const describeFailures: Operation = {
  id: 'getFailures',
  tag: 'console',
  summary: 'Failures of the latest runs, by cause',
  description:
    'The answer groups the failures in the latest runs of failed nodes by cause. Failures have the same cause if the resource, the file and the line are equal, and the messages are equal without numbers and names of nodes. `since` and `runs` come from the last 48 runs of five nodes. `since_exact` is false if all these runs have failed. `certnames` contains at most ten nodes. `others` is the number of further causes. `complete` is false if the counts are too low, because there are more than 20,000 failed events, or more than 2,000 failed reports without a failed event. The answer is at most 5 seconds old.',
  parameters: [limitOf('causes'), ...choiceDescription],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The causes. The cause with most nodes comes first.',
      object({
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
    ),
  },
  examples: { all: { summary: 'All causes' } },
};

const groupings = ['class', 'node'] as const;

const describeGroups: Operation = {
  id: 'getFailureGroups',
  tag: 'console',
  summary: 'Failures of the latest runs, by class or by node',
  description:
    'The answer groups the failures in the latest runs of failed nodes. `nodes` and `resources` count all nodes and resources of a group, and `examples` has three resources. An empty text in `examples` is a run that failed without a failed event. An empty name is the group of failures without a class. `others` is the number of further groups. `complete` is as in the answer of `/nodeledger/v1/failures`.',
  parameters: [
    inQuery('by', 'What the groups are: class (default) or node.', oneOfTexts(groupings)),
    limitOf('groups'),
    ...choiceDescription,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The groups. The group with most nodes comes first.',
      object({
        groups: list(object({ name: text(), nodes: integer, resources: integer, examples: list(text()) })),
        others: integer,
        complete: flag,
      }),
    ),
  },
  examples: { all: { summary: 'All classes' }, nodes: { summary: 'Nodes', parameters: { by: 'node' } } },
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

  @Get('groups')
  @Described(describeGroups)
  async groups(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, [...choiceParameters, 'by', 'limit']);
    const by = received.parameters.text('by') ?? 'class';
    if (by !== 'class' && by !== 'node') throw refusedParameter(`by is one of ${groupings.join(', ')}.`);
    const limit = readNumber(received.parameters, 'limit', { absent: 20, most: mostCauses });
    const choice = readChoice(received.parameters, this.fleet.target);
    await received.answerShared(sharedMs, (one) => one(failureGroupsSql(choice, by, limit)));
  }
}

import {
  type Answer,
  type Description,
  integer,
  list,
  mapOf,
  named,
  object,
  oneOfTexts,
  orNull,
  type Operation,
  type Parameter,
  type Schema,
  text,
  time,
} from '#openapi';
import { commandCatalogue } from '#wire';
import { letterDefaults, type letterFilters, mostLetters, mostWaitSeconds } from './read-letters-request';

const filterTexts: Readonly<Record<(typeof letterFilters)[number], Omit<Parameter, 'name' | 'in'>>> = {
  command: { description: 'The name of the command, such as replace_facts.', schema: text() },
  certname: { description: 'The name of the node.', schema: text() },
  since: { description: 'Rejected at this time or later. ISO 8601; UTC unless it has an offset.', schema: text() },
};
const filters = Object.entries(filterTexts).map(([name, rest]): Parameter => ({ name, in: 'query', ...rest }));

const number = (
  name: keyof typeof letterDefaults,
  description: string,
  minimum: number,
  maximum?: number,
): Parameter => ({
  name,
  in: 'query',
  description,
  schema: {
    type: 'integer',
    minimum,
    ...(maximum !== undefined && { maximum }),
    default: Number(letterDefaults[name]),
  },
});
const wait = number('wait', 'How long to wait for the outcome, in seconds.', 0, mostWaitSeconds);
const all: Parameter = {
  name: 'all',
  in: 'query',
  description: 'Every dead letter is meant. A request without a filter needs it.',
  schema: oneOfTexts(['true']),
};
const nameParameter: Parameter = {
  name: 'name',
  in: 'path',
  description: 'The position of the command in the log: partition and offset, such as 3-17.',
  schema: text(),
};

const letter: Schema = object({
  name: text(),
  uuid: text(),
  command: text(),
  version: integer,
  certname: text(),
  received_at: time,
  rejected_at: time,
  last_rejected_at: time,
  retried_at: orNull(time),
  attempts: integer,
  error: text('Why the command was rejected.'),
  exception: text('The code of the error, and its details.'),
  encoding: oneOfTexts(['identity', 'gzip']),
  payload_bytes: integer,
  headers: mapOf(text()),
});

const json = (description: string, schema: Schema): Answer => ({
  description,
  content: { 'application/json': schema },
});
const retried = json('What became of the commands.', {
  description: 'Pending commands are in the log; their outcome was not known in time.',
  ...(object({ retried: integer, applied: integer, rejected: integer, pending: integer }) as object),
});
const purged = json('How many were deleted.', object({ purged: integer }));

const operation = (id: string, summary: string, answer: Answer, rest: Partial<Operation> = {}): Operation => ({
  id,
  tag: 'dead letters',
  summary,
  refusals: [400, 404, 503],
  answers: { 200: answer },
  ...rest,
});

const oldOnes = { certname: 'web01.example.com', since: '2026-01-31' };

export const listLetters = (): Description => ({
  schemas: { DeadLetter: letter },
  operations: [
    operation(
      'listDeadLetters',
      'Lists dead letters, the newest first',
      json(
        'The dead letters, and how many match.',
        object({ total: integer, offset: integer, letters: list(named('DeadLetter')) }),
      ),
      {
        description: 'A dead letter is a command that was accepted and could not be applied: docs/dead-letters.md.',
        parameters: [
          ...filters,
          number('limit', 'How many to give at most.', 1, mostLetters),
          number('offset', 'How many to leave out at the beginning.', 0),
        ],
        examples: {
          all: { summary: 'All' },
          filtered: {
            summary: 'Facts of one node',
            parameters: {
              command: [...commandCatalogue.keys()][1]!.replaceAll(' ', '_'),
              ...oldOnes,
              limit: 10,
              offset: 0,
            },
          },
        },
      },
    ),
  ],
});
export const showLetter = operation('getDeadLetter', 'One dead letter', json('The dead letter.', named('DeadLetter')), {
  parameters: [nameParameter],
});
export const letterPayload = operation(
  'getDeadLetterPayload',
  'The payload of a dead letter, as the client sent it',
  {
    description: 'The bytes. application/gzip: they were sent compressed.',
    content: { 'application/octet-stream': text(), 'application/gzip': text() },
  },
  { parameters: [nameParameter] },
);
export const retryLetters = operation('retryDeadLetters', 'Applies all matching dead letters again', retried, {
  parameters: [...filters, all, wait],
  examples: { of_a_node: { summary: 'Those of one node', parameters: { ...oldOnes, wait: 10 } } },
});
export const retryLetter = operation('retryDeadLetter', 'Applies a dead letter again', retried, {
  parameters: [nameParameter, wait],
});
export const purgeLetters = operation('purgeDeadLetters', 'Deletes all matching dead letters', purged, {
  parameters: [...filters, all],
  examples: {
    of_a_node: { summary: 'Those of one node', parameters: oldOnes },
    everything: { summary: 'All', parameters: { all: 'true' } },
  },
});
export const purgeLetter = operation('purgeDeadLetter', 'Deletes a dead letter', purged, {
  parameters: [nameParameter],
});

import {
  type Answer,
  type Description,
  inJson,
  inPath,
  inQuery,
  integer,
  list,
  mapOf,
  named,
  object,
  oneOfTexts,
  type Operation,
  orNull,
  type Parameter,
  type Schema,
  text,
  time,
} from '#openapi';
import { commandCatalogue } from '#wire';
import { letterDefaults, type letterFilters, mostLetters, mostWaitSeconds } from './read-letters-request';

const filterTexts: Readonly<Record<(typeof letterFilters)[number], Omit<Parameter, 'name' | 'in'>>> = {
  command: { description: 'Selects dead letters with this command, such as replace_facts.', schema: text() },
  certname: { description: 'Selects dead letters of this node.', schema: text() },
  since: {
    description:
      'Selects commands that were rejected at this time or later. ISO 8601. A time without an offset is UTC.',
    schema: text(),
  },
};
const filters = Object.entries(filterTexts).map(([name, rest]): Parameter => ({ name, in: 'query', ...rest }));

const number = (name: keyof typeof letterDefaults, description: string, minimum: number, maximum?: number): Parameter =>
  inQuery(name, description, {
    type: 'integer',
    minimum,
    ...(maximum !== undefined && { maximum }),
    default: Number(letterDefaults[name]),
  });
const wait = number(
  'wait',
  'The time to wait until the projector has processed the commands, in seconds.',
  0,
  mostWaitSeconds,
);
const all: Parameter = inQuery(
  'all',
  'Selects all dead letters. A request without a filter needs this parameter.',
  oneOfTexts(['true']),
);
const nameParameter: Parameter = inPath(
  'name',
  'The position of the command in the log: partition and offset, such as 3-17.',
);

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
  error: text('The reason for the rejection.'),
  exception: text('The code of the error, and its details.'),
  encoding: oneOfTexts(['identity', 'gzip']),
  payload_bytes: integer,
  headers: mapOf(text()),
});

const retried = inJson('The results of the commands.', {
  description: 'Pending commands are in the log, but the projector did not process them in time.',
  ...(object({ retried: integer, applied: integer, rejected: integer, pending: integer }) as object),
});
const purged = inJson('The number of deleted dead letters.', object({ purged: integer }));

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
      inJson(
        'The dead letters, and the number of matches.',
        object({ total: integer, offset: integer, letters: list(named('DeadLetter')) }),
      ),
      {
        description:
          'A dead letter is a command that the service accepted, but could not apply (docs/dead-letters.md).',
        parameters: [
          ...filters,
          number('limit', 'The maximum number of dead letters in the answer.', 1, mostLetters),
          number('offset', 'The number of dead letters to skip.', 0),
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
export const showLetter = operation(
  'getDeadLetter',
  'One dead letter',
  inJson('The dead letter.', named('DeadLetter')),
  {
    parameters: [nameParameter],
  },
);
export const letterPayload = operation(
  'getDeadLetterPayload',
  'The payload of a dead letter, as the client sent it',
  {
    description: 'The bytes of the payload. The type is application/gzip if the client sent the payload compressed.',
    content: { 'application/octet-stream': text(), 'application/gzip': text() },
  },
  { parameters: [nameParameter] },
);
export const retryLetters = operation('retryDeadLetters', 'Applies all matching dead letters again', retried, {
  parameters: [...filters, all, wait],
  examples: { of_a_node: { summary: 'Dead letters of one node', parameters: { ...oldOnes, wait: 10 } } },
});
export const retryLetter = operation('retryDeadLetter', 'Applies a dead letter again', retried, {
  parameters: [nameParameter, wait],
});
export const purgeLetters = operation('purgeDeadLetters', 'Deletes all matching dead letters', purged, {
  parameters: [...filters, all],
  examples: {
    of_a_node: { summary: 'Dead letters of one node', parameters: oldOnes },
    everything: { summary: 'All', parameters: { all: 'true' } },
  },
});
export const purgeLetter = operation('purgeDeadLetter', 'Deletes a dead letter', purged, {
  parameters: [nameParameter],
});

import { inJson, inPath, integer, list, object, oneOfTexts, type Operation, orNull, text, time } from '#openapi';
import { choices, workNames } from './work-kinds';

const number = { type: 'number' } as const;

export const listWork: Operation = {
  id: 'listWork',
  tag: 'console',
  summary: 'The maintenance that clients have started in this process, the newest first',
  description:
    'The answer contains at most ten works. `output` contains the last 20,000 characters of the output. Other processes, and this process after a restart, do not know these works; the audit log contains all of them.',
  answers: {
    200: inJson(
      'The works.',
      object({
        work: list(
          object({
            id: text(),
            kind: oneOfTexts(workNames),
            actor: text('The client that started the work.'),
            started: time,
            ended: orNull(time),
            state: oneOfTexts(['running', 'stopping', 'done', 'failed', 'stopped']),
            progress: orNull(
              object({ step: text(), done: integer, of: integer, unit: text(), seconds_left: orNull(number) }),
            ),
            output: text(),
          }),
        ),
      }),
    ),
  },
  examples: { all: { summary: 'All works' } },
};

export const startWork: Operation = {
  id: 'startWork',
  tag: 'console',
  summary: 'Starts maintenance: rebuild, verify, snapshot, backup or export',
  description:
    'The work is a verb of the command line with the settings of the service, in a process of its own. A service runs one work at a time. A backup and an export write into the directory of NODELEDGER_BACKUP_DIR. The name of an export contains the time of its start. `unfinished` decides what a rebuild does with the tables of a rebuild that was stopped. Only processes with the component write serve this path.',
  body: inJson('The kind of the work.', {
    type: 'object',
    required: ['kind'],
    properties: { kind: oneOfTexts(workNames), unfinished: oneOfTexts(choices) },
    additionalProperties: false,
  }),
  refusals: [400, 409, 413, 415, 503],
  answers: {
    202: inJson('The work has started.', object({ id: text() })),
  },
  examples: { verify: { summary: 'Compare the tables with the log', body: { kind: 'verify' } } },
};

export const stopWork: Operation = {
  id: 'stopWork',
  tag: 'console',
  summary: 'Stops running maintenance after its current batch',
  refusals: [404],
  parameters: [inPath('id', 'The id of the work.')],
  answers: { 204: { description: 'The work stops.' } },
};

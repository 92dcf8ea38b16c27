import { commandCatalogue, examplePayloads, payloadSchemas } from '#wire';
import {
  type Answer,
  type ApiContext,
  type Description,
  type Example,
  flag,
  inJson,
  integer,
  named,
  object,
  oneOfTexts,
  type Parameter,
  type Schema,
  text,
} from '#openapi';
import { parameterNames } from '../parameter-form';

const schemaName = (command: string): string =>
  command.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

const underscored = (command: string): string => command.replaceAll(' ', '_');

const parameterTexts: Readonly<Record<(typeof parameterNames)[number], Omit<Parameter, 'name' | 'in'>>> = {
  command: {
    description:
      'The name of the command. Without this parameter, the body must have the old form, which contains all parameters.',
    schema: oneOfTexts([...commandCatalogue.keys()].map(underscored)),
  },
  version: {
    description: `The version of the command, which determines the structure of the payload: ${[...commandCatalogue]
      .map(([command, { minimum, current }]) =>
        minimum === current ? `${underscored(command)} ${current}` : `${underscored(command)} ${minimum} to ${current}`,
      )
      .join(', ')}.`,
    schema: integer,
  },
  certname: { description: 'The name of the node. The payload must contain the same name.', schema: text() },
  checksum: {
    description:
      'The SHA-1 of the uncompressed payload, in hexadecimal. NODELEDGER_CHECKSUM sets the action if the checksum is wrong.',
    schema: text(),
  },
  secondsToWaitForCompletion: {
    description:
      'The time to wait until the projector has applied the command, in seconds. Without this parameter, the service answers when the command is in the log.',
    schema: { type: 'number' },
  },
  'producer-timestamp': { description: 'The time at which the client created the command.', schema: text() },
};

const submission: Schema = object(
  {
    uuid: { type: 'string', format: 'uuid', description: 'The id of the command in log lines and dead letters.' },
    processed: { type: 'boolean', description: 'True if the projector has applied or rejected the command.' },
    timed_out: flag,
    error: text('The reason for the rejection.'),
    exception: text('The code of the error, and its details.'),
  },
  { required: ['uuid'] },
);

export const submitted: Answer = {
  description: 'The command is in the log.',
  headers: {
    'X-Nodeledger-Position':
      'The position of the command in the log. If a query has this value in the header X-Nodeledger-Wait-For, its answer includes the command.',
  },
  content: { 'application/json': named('Submission') },
};
export const notCompleted: Answer = inJson(
  'The command is in the log. The projector has rejected the command, or has not applied it in time.',
  { anyOf: [named('Submission'), named('Error')] },
);
export const submissionSchema = { Submission: submission };

function examples({ examples: { certname, time } }: ApiContext): Record<string, Example> {
  const payloads = Object.entries(examplePayloads(certname, time)).map(([command, body]): [string, Example] => [
    underscored(command),
    {
      summary: `${command} ${commandCatalogue.get(command)!.current}`,
      parameters: {
        command: underscored(command),
        version: commandCatalogue.get(command)!.current,
        certname: String(body['certname']),
        secondsToWaitForCompletion: 30,
      },
      body,
    },
  ]);
  const retired = { certname: 'old.example.com', producer_timestamp: time };
  const oldForm: Example = {
    summary: 'The old form',
    body: { command: 'deactivate node', version: 3, payload: retired },
  };
  return { ...Object.fromEntries(payloads), old_form: oldForm };
}

export function describeCommands(context: ApiContext): Description {
  const schemas = Object.entries(payloadSchemas()).map(([command, schema]): [string, Schema] => [
    schemaName(command),
    schema,
  ]);
  const { commandBytes } = context.limits;
  return {
    schemas: {
      ...submissionSchema,
      ...Object.fromEntries(schemas),
      OldCommand: object(
        {
          command: oneOfTexts([...commandCatalogue.keys()]),
          version: integer,
          payload: {
            type: 'object',
            description: 'The payload, with the certname of the command.',
          },
          checksum: text(),
          secondsToWaitForCompletion: { anyOf: [{ type: 'number' }, text()] },
          'producer-timestamp': text(),
        },
        { required: ['command', 'version', 'payload'] },
      ),
    },
    operations: [
      {
        id: 'submitCommand',
        method: 'post',
        tag: 'commands',
        summary: 'Submits a command',
        description:
          'The body is the payload, and can be compressed (Content-Encoding: gzip). The service answers when the command is durable ' +
          'in the log. The projector reads the payload later. If it cannot apply the command, the command becomes a dead letter. ' +
          'All other HTTP methods have the same effect. See docs/commands.md.',
        parameters: parameterNames.map((name) => ({ name, in: 'query', ...parameterTexts[name] })),
        body: inJson(
          `The payload of the command, or a command in the old form. The uncompressed body can have at most ${commandBytes} bytes.`,
          { anyOf: [...schemas.map(([name]) => named(name)), named('OldCommand')] },
        ),
        refusals: [400, 406, 413, 415],
        answers: { 200: submitted, 503: notCompleted },
        examples: examples(context),
      },
    ],
  };
}

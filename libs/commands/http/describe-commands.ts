import { commandCatalogue, examplePayloads, payloadSchemas } from '#wire';
import {
  type Answer,
  type ApiContext,
  type Description,
  type Example,
  flag,
  integer,
  named,
  object,
  oneOfTexts,
  type Parameter,
  type Schema,
  text,
} from '#openapi';
import { parameterNames } from '../parameter-form';

/** Returns the name of a payload's schema: `ReplaceFacts5` for `replace facts 5`. */
const schemaName = (command: string): string =>
  command.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

const underscored = (command: string): string => command.replaceAll(' ', '_');

const parameterTexts: Readonly<Record<(typeof parameterNames)[number], Omit<Parameter, 'name' | 'in'>>> = {
  command: {
    description: 'The name of the command. Without it, the body must have the old form, which has all this in it.',
    schema: oneOfTexts([...commandCatalogue.keys()].map(underscored)),
  },
  version: {
    description: `The version of the form of the payload: ${[...commandCatalogue]
      .map(([command, { minimum, current }]) =>
        minimum === current ? `${underscored(command)} ${current}` : `${underscored(command)} ${minimum} to ${current}`,
      )
      .join(', ')}.`,
    schema: integer,
  },
  certname: { description: 'The name of the node. The payload must have the same.', schema: text() },
  checksum: {
    description: 'The SHA-1 of the uncompressed payload, in hexadecimal. A command whose checksum is wrong is refused.',
    schema: text(),
  },
  secondsToWaitForCompletion: {
    description: 'How long to wait until the command has been applied. Without it, the answer comes when it is stored.',
    schema: { type: 'number' },
  },
  'producer-timestamp': { description: 'When the sender made the command.', schema: text() },
};

const submission: Schema = object(
  {
    uuid: { type: 'string', format: 'uuid', description: 'The command, for log lines and dead letters.' },
    processed: { type: 'boolean', description: 'Whether the command has been applied or rejected.' },
    timed_out: flag,
    error: text('Why the command was rejected.'),
    exception: text('The code of the error, and its details.'),
  },
  { required: ['uuid'] },
);

export const submitted: Answer = {
  description: 'The command is stored, and will be applied.',
  headers: {
    'X-Nodeledger-Position':
      'Where the command stands in the log. A query with this value in X-Nodeledger-Wait-For sees its effect.',
  },
  content: { 'application/json': named('Submission') },
};
export const notCompleted: Answer = {
  description: 'The command is stored. It was rejected, or not applied within the time of the request.',
  content: { 'application/json': { anyOf: [named('Submission'), named('Error')] } },
};
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
            description: 'As the body of the other form. Its certname is that of the command.',
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
          'The body is the payload, and may be compressed (Content-Encoding: gzip). The answer comes when the command is ' +
          'durable in the log. The payload is read later: a command that cannot be applied becomes a dead letter. ' +
          'Every other method does the same. docs/commands.md lists the outcome of each case.',
        parameters: parameterNames.map((name) => ({ name, in: 'query', ...parameterTexts[name] })),
        body: {
          description: `The payload of the command, at most ${commandBytes} bytes uncompressed, or a command in the old form.`,
          content: {
            'application/json': { anyOf: [...schemas.map(([name]) => named(name)), named('OldCommand')] },
          },
        },
        refusals: [400, 406, 413, 415],
        answers: { 200: submitted, 503: notCompleted },
        examples: examples(context),
      },
    ],
  };
}

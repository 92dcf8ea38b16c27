import {
  type Description,
  flag,
  inJson,
  list,
  mapOf,
  object,
  oneOfTexts,
  type Operation,
  type Schema,
  text,
} from '#openapi';
import { cleanOperations } from './read-admin-command';

const operation: Schema = {
  anyOf: [
    oneOfTexts(cleanOperations),
    {
      type: 'array',
      prefixItems: [{ const: 'purge_nodes' }, object({ batch_limit: { type: 'integer' } })],
      items: false,
      minItems: 2,
    },
  ],
};

const command: Schema = {
  anyOf: [
    object({
      command: { const: 'clean' },
      version: { const: 1 },
      payload: { anyOf: [list(operation), { type: 'null' }] },
    }),
    object({ command: { const: 'delete' }, version: { const: 1 }, payload: object({ certname: text() }) }),
  ],
};

export const describeAdmin = (): Description => ({
  schemas: { AdminCommand: command },
  operations: [
    {
      id: 'runAdminCommand',
      tag: 'admin',
      summary: 'Cleans the tables, or deletes a node',
      description:
        'The service answers when queries show the changes. `clean` with an empty payload does all parts of a cleaning ' +
        '(docs/maintenance.md). `delete` deletes a node with all its documents.',
      body: inJson('The command.', { $ref: '#/components/schemas/AdminCommand' }),
      refusals: [400, 409, 413, 415, 503],
      answers: {
        200: inJson('The cleaning or deletion is done.', {
          anyOf: [object({ ok: flag }), object({ deleted: text() })],
        }),
      },
      examples: {
        expire: {
          summary: 'Expires nodes and deletes old reports',
          body: { command: 'clean', version: 1, payload: ['expire_nodes', 'purge_reports'] },
        },
        limited: {
          summary: 'Deletes at most 100 nodes that have been inactive for long',
          body: { command: 'clean', version: 1, payload: [['purge_nodes', { batch_limit: 100 }]] },
        },
        delete: {
          summary: 'Deletes a node',
          body: { command: 'delete', version: 1, payload: { certname: 'old.example.com' } },
        },
      },
    },
  ],
});

const figures: Operation = {
  id: 'getSummaryStats',
  tag: 'admin',
  summary: 'Figures about the tables and their content',
  description: 'The figures are estimates. The members can change with the version of PostgreSQL.',
  refusals: [503],
  answers: {
    200: inJson('Rows of figures, by name.', {
      type: 'object',
      properties: { version: text() },
      required: ['version'],
      additionalProperties: list(mapOf(true)),
    }),
  },
  examples: { figures: { summary: 'All figures' } },
};
export const summaryStats = figures;
export const summaryStatsByPost: Operation = {
  ...figures,
  id: 'postSummaryStats',
  summary: `${figures.summary}, by POST`,
};

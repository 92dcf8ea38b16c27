import { anything, inJson, inQuery, integer, list, object, type Operation, text } from '#openapi';
import { choiceDescription } from '../http/describe-choice';

export const mostFacets = 10;

export const describeFacets: Operation = {
  id: 'getFacets',
  tag: 'console',
  summary: 'The number of nodes with each value of some fields',
  description: `For each field, the answer contains the 50 most frequent values. The service ignores the condition of \`where\` on this field, so the answer also contains values that the client has not selected. \`others\` is the number of nodes with other values. \`missing\` is the number of nodes without a value. The answer is at most one second old.`,
  parameters: [
    inQuery(
      'fields',
      `A JSON list of at most ${mostFacets} fields: status, environment, or \`fact:\` and the path of a fact, such as \`fact:os.name\`.`,
    ),
    ...choiceDescription,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The number of selected nodes, and the values of each field.',
      object({
        total: integer,
        facets: list(
          object({
            field: text(),
            values: list(object({ value: anything, nodes: integer })),
            others: integer,
            missing: integer,
          }),
        ),
      }),
    ),
  },
  examples: {
    fields: {
      summary: 'Statuses and operating systems of the nodes of an environment',
      parameters: { fields: '["status","fact:os.name"]', where: '{"environment":["production"]}' },
    },
  },
};

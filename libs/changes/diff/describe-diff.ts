import { type Describe, inQuery, list, object, oneOfTexts, type Parameter, text } from '#openapi';
import { comparedState, edgeChange, packageChange, resourceChange, valueChange } from '../describe-answers';
import { diffParts } from './diff-parts';
import { diffFormats } from './diff-request';

export const formatParameter: Parameter = inQuery(
  'format',
  '`json` (if absent), `json-patch` (RFC 6902: the patch makes the second of the first document, which has a member for each part), or `text` for people.',
  oneOfTexts(diffFormats),
);

export const describeDiff: Describe = ({ examples }) => ({
  operations: [
    {
      id: 'getDiff',
      tag: 'changes',
      summary: 'Differences between two nodes, or between two moments of a node',
      description: `Write the present state of a node as \`<certname>\`, and its state at an earlier time as \`<certname>@<moment>\`, such as \`web1.example.com@yesterday\`. Parts: ${diffParts.map(({ name, summary }) => `\`${name}\` (${summary})`).join(', ')}. Lists are compared element by element. \`as_of\` and \`time\` of the answer contain the moment. Both are null for the present state.`,
      parameters: [
        inQuery('a', 'The first state.', text(), { required: true }),
        inQuery('b', 'The second state. The same node now, if absent.'),
        inQuery('part', 'The parts to compare, with commas between them. All if absent.'),
        formatParameter,
      ],
      refusals: [400, 404, 413, 503],
      answers: {
        200: {
          description: 'The differences in each part.',
          content: {
            'application/json': object(
              {
                a: comparedState,
                b: comparedState,
                facts: list(valueChange),
                resources: list(resourceChange),
                edges: list(edgeChange),
                packages: list(packageChange),
              },
              { required: ['a', 'b'] },
            ),
            'application/json-patch+json': list(
              object({ op: text(), path: text(), value: true }, { required: ['op', 'path'] }),
            ),
            'text/plain': text(),
          },
        },
      },
      examples: {
        now: { summary: 'A node with itself', parameters: { a: examples.certname, part: 'facts,packages' } },
      },
    },
  ],
});

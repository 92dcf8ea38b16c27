import { inQuery, type Operation, text } from '#openapi';
import { changeKinds } from '../filter/change-filter';

const list = (what: string): string => `Only ${what}, separated by commas. At most 100.`;

export const describeChanges: Operation = {
  id: 'followChanges',
  tag: 'changes',
  summary: 'Follow the changes as they happen',
  description: `Sends server-sent events. Each event is a CloudEvent 1.0 in JSON (\`type\`: ${changeKinds.map((kind) => `\`nodeledger.${kind}\``).join(', ')}; \`subject\`: the certname; \`data\`: the entry of the timeline). A client that sends the \`id\` of the last event as Last-Event-ID gets every change since then at least once, in order for each node. Compare the \`id\` of a CloudEvent to recognize a repetition. The stream ends when the service stops, when the credential is no longer valid, or when the client reads too slowly; connect again with Last-Event-ID then.`,
  parameters: [
    inQuery('kind', list(`these kinds: ${changeKinds.join(', ')}`)),
    inQuery('certname', list('these nodes')),
    inQuery('environment', `${list('changes from these environments')} Changes without an environment are left out.`),
    inQuery(
      'query',
      'A condition on nodes (AST), such as `["=",["fact","kernel"],"Linux"]`. The service compares it with the node when it sends a change. It sends every deletion.',
    ),
    inQuery(
      'since',
      'Begin with the changes since this time or relative time, such as `2 hours ago`. Default: the present.',
    ),
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last event. Takes precedence over `since`.',
      schema: text(),
    },
    inQuery('last_event_id', 'The same id, for clients that cannot send the header.'),
    inQuery('follow', 'If false, the answer ends after the changes that are applied now.', {
      type: 'boolean',
      default: true,
    }),
  ],
  refusals: [400, 503],
  answers: {
    200: { description: 'The changes.', content: { 'text/event-stream': text() } },
    410: {
      description: 'The changes after Last-Event-ID are no longer known.',
      headers: { 'X-Nodeledger-Earliest': 'The earliest time that `since` can have.' },
      content: { 'application/json': { $ref: '#/components/schemas/Error' } },
    },
  },
  examples: {
    hour: {
      summary: 'The reports and the deactivations of the last hour',
      parameters: { since: '1 hour ago', kind: 'report,deactivated', follow: false },
    },
  },
};

import {
  anything,
  type Describe,
  inJson,
  inQuery,
  integer,
  integerBetween,
  list,
  object,
  oneOfTexts,
  orNull,
  text,
  time,
} from '#openapi';
import { mostEntries } from './timeline-request';
import { timelineKinds } from './timeline-entry';

export const timelineEntry = object(
  {
    id: text(),
    kind: oneOfTexts(timelineKinds),
    certname: text(),
    received_at: time,
    producer_timestamp: orNull(time),
    environment: orNull(text()),
    producer: orNull(text()),
    status: orNull(text()),
    report: text('The hash of the report.'),
    position: object({ partition: integer, offset: integer }),
    seen_until: time,
    seen_count: integer,
    added: integer,
    changed: integer,
    removed: integer,
    changes: list(
      object({ part: text(), change: text(), old: anything, new: anything }, { required: ['part'], open: true }),
    ),
    changes_left_out: integer,
  },
  {
    required: ['id', 'kind', 'certname', 'received_at', 'position', 'added', 'changed', 'removed', 'changes'],
  },
);

export const describeTimeline: Describe = ({ examples }) => ({
  operations: [
    {
      id: 'getTimeline',
      tag: 'changes',
      summary: 'The changes of one node or of all nodes, the newest first',
      description:
        'An entry is a document that changed something. Equal documents after it extend `seen_until` and `seen_count`. `changes` has at most 100 changes, each with its `part`: facts, resources, edges, packages, events, environment, code_id or status. Texts of more than 1,000 characters are cut off. `next` is the parameter `after` for the next page, or null. Changes of volatile facts make no entries.',
      parameters: [
        inQuery('certname', 'The node. All nodes if absent.'),
        inQuery('kind', `Kinds of entries, with commas between them: ${timelineKinds.join(', ')}.`),
        inQuery('status', 'Statuses of reports, with commas between them: `failed,changed`.'),
        inQuery('from', 'Entries received at this moment or later.'),
        inQuery('to', 'Entries received before this moment.'),
        inQuery('path', 'The history of one value: the path of a fact, such as `os.release.full`.'),
        inQuery('resource', 'The history of one resource, such as `File[/etc/motd]`.'),
        inQuery('package', 'The history of one package, by its name.'),
        inQuery('limit', 'The number of entries. 50 if absent.', integerBetween(1, mostEntries)),
        inQuery('after', '`next` of the previous page. The other parameters must be the same.'),
      ],
      refusals: [400, 404, 413, 503],
      answers: {
        200: inJson('A page of entries.', object({ entries: list(timelineEntry), next: orNull(text()) })),
      },
      examples: {
        node: { summary: 'The last changes of a node', parameters: { certname: examples.certname, limit: 10 } },
        failures: {
          summary: 'Failed runs of the last hour',
          parameters: { kind: 'report', status: 'failed', from: '1h ago' },
        },
      },
    },
  ],
});

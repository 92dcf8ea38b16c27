import type { Completion } from '../completions';
import { answerOf } from './submission-answer';

const uuid = '00000000-0000-4000-8000-000000000001';
const answer = (completion?: Completion): object =>
  answerOf({ uuid, position: { partition: 0, offset: 1 }, ...(completion && { completion }) });

test('a client that does not wait gets the uuid', () => expect(answer()).toEqual({ status: 200, body: { uuid } }));

test.each<[string, Completion, object]>([
  [
    'was applied',
    { processed: true, rejection: undefined },
    { status: 200, body: { uuid, processed: true, timed_out: false } },
  ],
  ['was not applied in time', { processed: false }, { status: 503, body: { uuid, processed: false, timed_out: true } }],
  [
    'was rejected',
    { processed: true, rejection: { error: 'no', exception: 'wire.json: no' } },
    {
      status: 503,
      body: { uuid, processed: true, timed_out: false, error: 'no', exception: 'wire.json: no' },
      code: 'wire.json',
    },
  ],
  [
    'was rejected with a code that this release does not have',
    { processed: true, rejection: { error: 'no', exception: 'no.such: no' } },
    {
      status: 503,
      body: { uuid, processed: true, timed_out: false, error: 'no', exception: 'no.such: no' },
      code: 'command.rejected',
    },
  ],
])('the answer if the command %s', (_, completion, expected) => expect(answer(completion)).toEqual(expected));

import type { Change } from '../../stream/change';
import { changeMessage, testMessage } from './change-message';

const change = (json: string): Change => ({
  id: 'u/facts',
  certname: 'web1',
  kind: 'facts',
  environment: 'production',
  receivedAt: '2026-01-31T12:00:00.000Z',
  position: { partition: 3, offset: 17 },
  json,
});
const read = (body: Buffer): { data: Record<string, unknown> } => JSON.parse(body.toString()) as never;

test('a message is a CloudEvent, in which numbers keep their spelling', () => {
  const { body, ...about } = changeMessage(change('{"certname":"web1","changes":[{"new":1.0}]}'), 'log');
  expect(about).toEqual({
    event: 'u/facts',
    type: 'nodeledger.facts',
    certname: 'web1',
    change: { position: { partition: 3, offset: 17 }, receivedAt: '2026-01-31T12:00:00.000Z' },
  });
  expect(body.toString()).toBe(
    '{"specversion":"1.0","id":"u/facts","source":"/nodeledger/log","type":"nodeledger.facts","subject":"web1",' +
      '"time":"2026-01-31T12:00:00.000Z","datacontenttype":"application/json","data":{"certname":"web1","changes":[{"new":1.0}]}}',
  );
});

test('a message of more than 64 kB counts the changes that it leaves out', () => {
  const entry = { certname: 'web1', changes: Array.from({ length: 90 }, () => 'x'.repeat(1_000)), changes_left_out: 7 };
  const { body } = changeMessage(change(JSON.stringify(entry)), 'log');
  expect(read(body).data).toEqual({ certname: 'web1', changes: [], changes_left_out: 97 });
  const fits = { ...entry, changes: entry.changes.slice(0, 60) };
  expect(read(changeMessage(change(JSON.stringify(fits)), 'log').body).data).toEqual(fits);
});

test('a test names its subscription', () => {
  expect(read(testMessage('t', 'chat').body)).toMatchObject({
    type: 'nodeledger.test',
    data: { subscription: 'chat' },
  });
});

import { partitionOf, type NewRecord } from '#log';
import { lifecycleCommands, readCommand } from '#wire';
import { inPartitions } from './in-partitions';

const record = (command: string, payload: object): NewRecord => ({
  ...{ uuid: '00000000-0000-4000-8000-000000000001', command, version: 1, certname: 'a', receivedAt: 1 },
  ...{ encoding: 'identity', payload: Buffer.from(JSON.stringify({ certname: 'a', ...payload })) },
});
const read = (one: NewRecord): unknown => readCommand(one, one.payload);
const time = '2026-01-01T00:00:00.000Z';
const nodes = [{ partition: 1, partitions: 3 }];

it('leaves records alone in a log of as many partitions, and those about one node', () => {
  const limits = record(lifecycleCommands.applyAgeLimits.command, { nodes, reports_before: time });
  expect(inPartitions(limits, 3, 3)).toEqual([limits]);
  const one = record(lifecycleCommands.deleteNode.command, {});
  expect(inPartitions(one, 3, 5)).toEqual([one]);
});

it('gives each new partition the age limits for those nodes that it has of the old one', () => {
  const limits = record(lifecycleCommands.applyAgeLimits.command, { nodes, reports_before: time });
  const given = inPartitions(limits, 3, 2);
  expect(given.map(({ certname }) => partitionOf(certname, 2))).toEqual([0, 1]);
  for (const [partition, one] of given.entries()) {
    expect(read(one)).toMatchObject({ nodes: [...nodes, { partition, partitions: 2 }], reportsBefore: time });
  }
});

it('divides the nodes that are restored among the partitions that they fall into', () => {
  const life = {
    deactivated: null,
    expired: time,
    expired_cutoff: time,
    expire_facts: true,
    expire_facts_updated: null,
  };
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const restored = record(lifecycleCommands.restoreNodes.command, {
    nodes: names.map((certname) => ({ certname, ...life })),
  });
  const given = inPartitions(restored, 3, 2).map((one) => read(one) as { nodes: { certname: string }[] });
  expect(given.flatMap((one) => one.nodes.map(({ certname }) => certname)).sort()).toEqual(names);
  for (const [partition, one] of given.entries()) {
    for (const { certname } of one.nodes) expect(partitionOf(certname, 2)).toBe(partition);
  }
  // Removes events in every partition.
  const events = record(lifecycleCommands.restoreNodes.command, { nodes: [], events_before: time, events_of: nodes });
  expect(inPartitions(events, 3, 2).map(read)).toEqual(
    [0, 1].map((partition): unknown =>
      expect.objectContaining({ events: { before: time, of: [...nodes, { partition, partitions: 2 }] } }),
    ),
  );
});

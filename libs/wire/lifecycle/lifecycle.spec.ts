import { commandCatalogue } from '../command-catalogue';
import { readCommand } from '../read-command';
import type { WireAgeLimits } from '../documents';
import { writeAgeLimits } from './age-limits';
import { isLifecycleCommand, isRemovalCommand, lifecycleCommands } from './commands';

const time = '2024-01-01T00:00:00.000Z';
const read = (command: string, payload: unknown, version = 1, certname = 'a'): unknown =>
  readCommand({ command, version, certname }, Buffer.from(JSON.stringify(payload)));

it.each([
  ['expire node', { certname: 'a', expired: time, cutoff: time }, 'node expiry'],
  ['purge node', { certname: 'a', cutoff: time }, 'node purge'],
  ['delete node', { certname: 'a' }, 'node deletion'],
  ['purge reports', { certname: 'a', cutoff: time }, 'report purge'],
])('reads %s', (command, payload, kind) => {
  expect(read(command, payload)).toEqual({ kind, ...payload });
});

it('reads restore node, whose times may be null but not absent', () => {
  const payload = { certname: 'a', deactivated: null, expired: time, expire_facts: false, expire_facts_updated: time };
  const restoration = {
    kind: 'node restoration',
    certname: 'a',
    deactivated: null,
    expired: time,
    expireFacts: false,
    expireFactsUpdated: time,
  };
  const cutoff = '2023-12-01T00:00:00.000Z';
  expect(read('restore node', { ...payload, expired_cutoff: cutoff })).toEqual({
    ...restoration,
    expiredCutoff: cutoff,
  });
  // Bases that were made before cut-offs were kept.
  expect(read('restore node', payload)).toEqual({ ...restoration, expiredCutoff: null });
});

const limits: WireAgeLimits = {
  ...{ kind: 'age limits', certname: 'a', nodes: [{ partition: 3, partitions: 12 }] },
  ...{ expiry: null, purge: null, reportsBefore: null, eventsBefore: null },
};

it.each<Partial<WireAgeLimits>>([
  {},
  { expiry: { cutoff: time, expired: time, most: 7 } },
  { purge: { cutoff: time, most: 0 }, reportsBefore: time },
  { eventsBefore: time, nodes: [...limits.nodes, { partition: 0, partitions: 1 }] },
])('reads the age limits %j as they were written', (some) => {
  const given = { ...limits, ...some };
  expect(read('apply age limits', JSON.parse(writeAgeLimits(given)))).toEqual(given);
});

it('reads the restoration of several nodes, and of events', () => {
  const life = { certname: 'b', deactivated: null, expired: time, expire_facts: true, expire_facts_updated: null };
  expect(read('restore nodes', { certname: 'a', nodes: [] })).toMatchObject({ nodes: [], events: null });
  const restored = read('restore nodes', {
    ...{ certname: 'a', nodes: [life, { ...life, certname: 'c' }] },
    ...{ events_before: time, events_of: limits.nodes },
  });
  expect(restored).toMatchObject({
    kind: 'nodes restoration',
    nodes: [{ certname: 'b', expired: time }, { certname: 'c' }],
    events: { before: time, of: limits.nodes },
  });
});

it.each([
  ['apply age limits', { certname: 'a' }],
  ['apply age limits', { certname: 'a', nodes: 7 }],
  ['apply age limits', { certname: 'a', nodes: [{ partition: 0, partitions: 0 }] }],
  ['apply age limits', { certname: 'a', nodes: [], expire_before: time }],
  ['apply age limits', { certname: 'a', nodes: [], purge_before: time }],
  ['restore nodes', { certname: 'a' }],
  ['restore nodes', { certname: 'a', nodes: [{ certname: 'b' }] }],
  ['restore nodes', { certname: 'a', nodes: [], events_before: time }],
  ['restore node', { certname: 'a' }],
  ['restore node', { certname: 'a', deactivated: null, expired: null, expire_facts: true }],
  ['restore node', { certname: 'a', deactivated: null, expired: null, expire_facts: null, expire_facts_updated: null }],
  [
    'restore node',
    {
      certname: 'a',
      deactivated: null,
      expired: time,
      expired_cutoff: 1.5,
      expire_facts: true,
      expire_facts_updated: null,
    },
  ],
  ['restore node', { certname: 'a', deactivated: 'x', expired: null, expire_facts: true, expire_facts_updated: null }],
  ['expire node', { certname: 'a', expired: time }],
  ['purge node', { certname: 'a', cutoff: 'long ago' }],
  ['delete node', {}],
  ['delete node', { certname: 'a', cutoff: time }],
  ['purge reports', { certname: 'a', cutoff: null }],
])('refuses %s of %j', (command, payload) => {
  expect(() => read(command, payload)).toThrow(expect.objectContaining({ code: 'wire.shape' }));
});

it('refuses a payload about another node and a version that nobody wrote', () => {
  expect(() => read('delete node', { certname: 'b' })).toThrow(expect.objectContaining({ code: 'wire.certname' }));
  expect(() => read('delete node', { certname: 'a' }, 2)).toThrow(expect.objectContaining({ kind: 'malformed' }));
});

it('keeps its names out of the commands that clients can submit, and clients’ names out of its own', () => {
  for (const { command } of Object.values(lifecycleCommands)) {
    expect(commandCatalogue.has(command)).toBe(false);
    expect(isLifecycleCommand(command)).toBe(true);
  }
  for (const command of commandCatalogue.keys()) expect(isLifecycleCommand(command)).toBe(false);
});

it('calls every command of its own a removal but the one that restores', () => {
  const removals = Object.values(lifecycleCommands).filter(({ command }) => isRemovalCommand(command));
  expect(removals.map(({ command }) => command)).toEqual(['expire node', 'purge node', 'delete node', 'purge reports']);
  for (const command of commandCatalogue.keys()) expect(isRemovalCommand(command)).toBe(false);
});

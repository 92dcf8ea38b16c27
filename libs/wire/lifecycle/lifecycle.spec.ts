import { commandCatalogue, readCommand } from '../read-command';
import type { WireAgeLimits } from '../documents';
import { writeAgeLimits } from './age-limits';
import { isLifecycleCommand, isMaintenanceCommand, lifecycleCommands } from './commands';

const time = '2024-01-01T00:00:00.000Z';
const read = (command: string, payload: unknown, version = 1, certname = 'a'): unknown =>
  readCommand({ command, version, certname }, Buffer.from(JSON.stringify(payload)));

it('reads delete node', () => {
  expect(read('delete node', { certname: 'a' })).toEqual({ kind: 'node deletion', certname: 'a' });
});

it('reads restore node, whose times may be null but not absent', () => {
  const cutoff = '2023-12-01T00:00:00.000Z';
  const payload = {
    ...{ certname: 'a', deactivated: null, expired: time, expired_cutoff: cutoff },
    ...{ expire_facts: false, expire_facts_updated: time },
  };
  expect(read('restore node', payload)).toEqual({
    ...{ kind: 'node restoration', certname: 'a', deactivated: null, expired: time, expiredCutoff: cutoff },
    ...{ expireFacts: false, expireFactsUpdated: time },
  });
  expect(() => read('restore node', { ...payload, expired_cutoff: undefined })).toThrow(
    expect.objectContaining({ code: 'wire.shape' }),
  );
});

const limits: WireAgeLimits = {
  ...{ kind: 'age limits', certname: 'a', nodes: [{ partition: 3, partitions: 12 }] },
  ...{ expiry: null, purge: null, reportsBefore: null, eventsBefore: null, historyBefore: null },
};

it.each<Partial<WireAgeLimits>>([
  {},
  { expiry: { cutoff: time, expired: time, most: 7 } },
  { purge: { cutoff: time, most: 0 }, reportsBefore: time },
  { historyBefore: time },
  { eventsBefore: time, nodes: [...limits.nodes, { partition: 0, partitions: 1 }] },
])('reads the age limits %j as they were written', (some) => {
  const given = { ...limits, ...some };
  expect(read('apply age limits', JSON.parse(writeAgeLimits(given)))).toEqual(given);
});

it('reads the restoration of several nodes, and of events', () => {
  const life = {
    certname: 'b',
    deactivated: null,
    expired: time,
    expired_cutoff: time,
    expire_facts: true,
    expire_facts_updated: null,
  };
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

const active = {
  ...{ certname: 'a', deactivated: null, expired: null, expired_cutoff: null },
  ...{ expire_facts: true, expire_facts_updated: null },
};
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
  ['restore node', { ...active, expire_facts_updated: undefined }],
  ['restore node', { ...active, expire_facts: null }],
  ['restore node', { ...active, expired: time, expired_cutoff: 1.5 }],
  ['restore node', { ...active, deactivated: 'x' }],
  ['delete node', {}],
  ['delete node', { certname: 'a', cutoff: time }],
])('refuses %s of %j', (command, payload) => {
  expect(() => read(command, payload)).toThrow(expect.objectContaining({ code: 'wire.shape' }));
});

it('refuses a payload about another node and a version that nobody wrote', () => {
  expect(() => read('delete node', { certname: 'b' })).toThrow(expect.objectContaining({ code: 'wire.certname' }));
  expect(() => read('delete node', { certname: 'a' }, 2)).toThrow(expect.objectContaining({ kind: 'malformed' }));
});

it('does not let clients submit the commands of the service', () => {
  for (const { command } of Object.values(lifecycleCommands)) {
    expect(commandCatalogue.has(command)).toBe(false);
    expect(isLifecycleCommand(command)).toBe(true);
  }
  for (const command of commandCatalogue.keys()) expect(isLifecycleCommand(command)).toBe(false);
});

it('applies every command of the service to stored rows, except the state of one node', () => {
  const maintenance = Object.values(lifecycleCommands).filter(({ command }) => isMaintenanceCommand(command));
  expect(maintenance.map(({ command }) => command)).toEqual(['delete node', 'apply age limits', 'restore nodes']);
  for (const command of commandCatalogue.keys()) expect(isMaintenanceCommand(command)).toBe(false);
});

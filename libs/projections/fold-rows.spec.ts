/** Tests how each document changes the row of its node, and when it changes nothing. */
import type {
  WireCatalog,
  WireCatalogInputs,
  WireDeactivation,
  WireExpiration,
  WireFactset,
  WireNodeRestoration,
  WireReport,
} from '#wire';
import {
  foldCatalog,
  foldCatalogInputs,
  foldDeactivation,
  foldExpiration,
  foldFactset,
  foldNodeRestoration,
  foldRepeatedReport,
  foldReport,
} from './fold';
import { newNode, type NodeRow, type NodeState } from './node-state';

const t1 = '2024-01-01T00:00:00.000Z';
const t2 = '2024-01-02T00:00:00.000Z';
const t3 = '2024-01-03T00:00:00.000Z';
const received = '2024-06-01T00:00:00.000Z';
const position = { partition: 3, offset: 17 };

type Time = string | null;
/** Contains only the members that the fold reads. */
const facts = (time: string): WireFactset =>
  ({ kind: 'facts', environment: 'of facts', producerTimestamp: time }) as WireFactset;
const catalog = (time: string): WireCatalog =>
  ({ kind: 'catalog', environment: 'of catalog', producerTimestamp: time }) as WireCatalog;
const report = (time: string, over: Partial<WireReport> = {}): WireReport =>
  ({
    kind: 'report',
    type: 'agent',
    hash: 'its hash',
    environment: 'of report',
    status: 'changed',
    noop: true,
    noopPending: true,
    correctiveChange: true,
    cachedCatalogStatus: 'not_used',
    jobId: 'its job',
    endTime: t3,
    producerTimestamp: time,
    ...over,
  }) as WireReport;
const inputs = (time: Time): WireCatalogInputs =>
  ({ kind: 'inputs', producerTimestamp: time, inputs: [['hiera', 'x']] }) as unknown as WireCatalogInputs;
const deactivation = (time: Time): WireDeactivation => ({
  kind: 'deactivation',
  certname: 'a',
  producerTimestamp: time,
});
const expiration = (time: Time, expireFacts = false): WireExpiration => ({
  kind: 'expiration',
  certname: 'a',
  producerTimestamp: time,
  expireFacts,
});
const restoration = (over: Partial<WireNodeRestoration>): WireNodeRestoration => ({
  kind: 'node restoration',
  certname: 'a',
  deactivated: null,
  expired: null,
  expiredCutoff: null,
  expireFacts: true,
  expireFactsUpdated: null,
  ...over,
});

/** Functions by name. Each function folds a document with the given time, and returns whether the document counts. */
const folds: Record<string, (state: NodeState, time: string) => unknown> = {
  facts: (state, time) => foldFactset(state, facts(time), received),
  'a catalog': (state, time) => foldCatalog(state, catalog(time), received),
  'a report': (state, time) => foldReport(state, report(time)),
  'catalog inputs': (state, time) => foldCatalogInputs(state, inputs(time), received),
  'a deactivation': (state, time) => foldDeactivation(state, deactivation(time), received, position),
  'an expiration setting': (state, time) => foldExpiration(state, expiration(time), received, position),
};
const marked = { logPartition: 3, logOffset: 17 };
const rowAfter: Record<string, (time: string) => Partial<NodeRow>> = {
  facts: (time) => ({
    factsProducerTimestamp: time,
    factsTimestamp: received,
    factsEnvironment: 'of facts',
  }),
  'a catalog': (time) => ({
    catalogProducerTimestamp: time,
    catalogTimestamp: received,
    catalogEnvironment: 'of catalog',
  }),
  'a report': (time) => ({
    reportProducerTimestamp: time,
    reportTimestamp: t3,
    reportEnvironment: 'of report',
    latestReportStatus: 'changed',
    latestReportNoop: true,
    latestReportNoopPending: true,
    latestReportCorrectiveChange: true,
    latestReportHash: 'its hash',
    latestReportJobId: 'its job',
    cachedCatalogStatus: 'not_used',
  }),
  'catalog inputs': (time) => ({ inputsProducerTimestamp: time }),
  'a deactivation': (time) => ({ deactivated: time, ...marked }),
  'an expiration setting': (time) => ({ expiresFacts: false, expiresFactsUpdated: time, ...marked }),
};

/** A node as it was loaded, without changes to write. */
function loaded(row: Partial<NodeRow> = {}): NodeState {
  const state = newNode('1', 'a');
  state.stored = true;
  Object.assign(state.row, row);
  return state;
}

describe.each(Object.keys(folds))('%s', (name) => {
  const fold = folds[name] as (state: NodeState, time: string) => unknown;
  const after = rowAfter[name] as (time: string) => Partial<NodeRow>;

  it('fills its own columns of a new node and no others', () => {
    const node = newNode('1', 'a');
    expect(fold(node, t1)).toBe(true);
    expect(node).toEqual({ ...newNode('1', 'a'), dirty: true, row: { ...newNode('1', 'a').row, ...after(t1) } });
  });

  it('fills the same of a node that is stored', () => {
    const node = loaded();
    expect(fold(node, t1)).toBe(true);
    expect(node).toEqual({ ...loaded(after(t1)), dirty: true });
  });

  it('takes the place of an older one', () => {
    const node = loaded(after(t1));
    expect(fold(node, t2)).toBe(true);
    expect(node).toEqual({ ...loaded(after(t2)), dirty: true });
  });

  it('changes nothing behind a newer one: the stored row need not be written', () => {
    const node = loaded(after(t2));
    expect(fold(node, t1)).toBe(false);
    expect(node).toEqual(loaded(after(t2)));
  });
});

it.each([
  ['facts', true],
  ['a catalog', true],
  ['a report', false],
  ['catalog inputs', false],
  ['a deactivation', false],
  ['an expiration setting', false],
])('of two that were made at one time, %s: the second counts: %s', (name, counts) => {
  const node = loaded((rowAfter[name] as (time: string) => Partial<NodeRow>)(t2));
  expect(folds[name]?.(node, t2)).toBe(counts);
  expect(node.dirty).toBe(counts);
});

describe('what activates a node', () => {
  const documents = Object.entries(folds).filter(([name]) => name !== 'a deactivation');

  it.each(documents)('%s, where it is newer than the deactivation', (_, fold) => {
    const node = loaded({ deactivated: t1 });
    fold(node, t2);
    expect(node.row).toMatchObject({ deactivated: null });
    expect(node.dirty).toBe(true);
  });

  it.each(documents)('%s, not where it was made at the time of the deactivation', (_, fold) => {
    const node = loaded({ deactivated: t2 });
    fold(node, t2);
    expect(node.row).toMatchObject({ deactivated: t2 });
  });

  it.each(documents)('%s, where it was made at the cut-off of the expiry', (_, fold) => {
    const node = loaded({ expired: t3, expiredCutoff: t2 });
    fold(node, t2);
    expect(node.row).toMatchObject({ expired: null, expiredCutoff: null });
    expect(node.dirty).toBe(true);
  });

  it.each(documents)('%s, not where it was made before the cut-off', (_, fold) => {
    const node = loaded({ expired: t3, expiredCutoff: t2 });
    fold(node, t1);
    expect(node.row).toMatchObject({ expired: t3, expiredCutoff: t2 });
  });

  it('a document that a newer one has superseded, too', () => {
    const node = loaded({ deactivated: t1, factsProducerTimestamp: t3 });
    expect(foldFactset(node, facts(t2), received)).toBe(false);
    expect(node).toEqual({ ...loaded({ factsProducerTimestamp: t3 }), dirty: true });
  });

  it('a report that is stored already, and nothing else of it counts', () => {
    const node = loaded({ deactivated: t1 });
    foldRepeatedReport(node, report(t2));
    expect(node).toEqual({ ...loaded(), dirty: true });
    const active = loaded();
    foldRepeatedReport(active, report(t2));
    expect(active).toEqual(loaded());
    const unknown = newNode('1', 'a');
    foldRepeatedReport(unknown, report(t2));
    expect(unknown).toEqual({ ...newNode('1', 'a'), dirty: true });
  });

  it('a report of a plan, and nothing else of it counts', () => {
    const node = loaded();
    expect(foldReport(node, report(t2, { type: 'plan' }))).toBe(false);
    expect(node).toEqual(loaded());
  });

  it('of a node that is both deactivated and expired, only what neither forbids', () => {
    const both = { deactivated: t2, expired: t3, expiredCutoff: t2 };
    const held = loaded(both);
    foldFactset(held, facts(t2), received);
    expect(held.row).toMatchObject(both);
    const free = loaded(both);
    foldFactset(free, facts(t3), received);
    expect(free.row).toMatchObject({ deactivated: null, expired: null, expiredCutoff: null });
  });
});

describe('a deactivation', () => {
  it.each([
    ['facts', 'factsProducerTimestamp'],
    ['a catalog', 'catalogProducerTimestamp'],
    ['a report', 'reportProducerTimestamp'],
  ])('is ignored where %s are newer, and counts where they are of the same time', (_, column) => {
    const newer = loaded({ [column]: t3 });
    expect(foldDeactivation(newer, deactivation(t2), received, position)).toBe(false);
    expect(newer).toEqual(loaded({ [column]: t3 }));
    const equal = loaded({ [column]: t2 });
    expect(foldDeactivation(equal, deactivation(t2), received, position)).toBe(true);
    expect(equal).toEqual({ ...loaded({ [column]: t2, deactivated: t2, ...marked }), dirty: true });
  });

  it('of a node that no record has named creates it also where it is ignored', () => {
    const node = newNode('1', 'a');
    node.row.factsProducerTimestamp = t3;
    expect(foldDeactivation(node, deactivation(t2), received, position)).toBe(false);
    expect(node.dirty).toBe(true);
  });

  it('does not undo what is to be written already', () => {
    const node = loaded({ deactivated: t3 });
    node.dirty = true;
    foldDeactivation(node, deactivation(t2), received, position);
    foldRepeatedReport(node, report(t1));
    expect(node.dirty).toBe(true);
  });
});

it.each([
  [
    'a deactivation',
    (state: NodeState) => foldDeactivation(state, deactivation(null), received, position),
    'deactivated',
  ],
  [
    'an expiration setting',
    (state: NodeState) => foldExpiration(state, expiration(null), received, position),
    'expiresFactsUpdated',
  ],
  ['catalog inputs', (state: NodeState) => foldCatalogInputs(state, inputs(null), received), 'inputsProducerTimestamp'],
] as const)('%s without a time of its own has the time when it was received', (_, fold, column) => {
  const node = newNode('1', 'a');
  expect(fold(node)).toBe(true);
  expect(node.row[column]).toBe(received);
});

it('a restoration of a stored node is written, whatever it says', () => {
  const node = loaded();
  foldNodeRestoration(node, restoration({}), position);
  expect(node).toEqual({ ...loaded(marked), dirty: true });
});

import { foldNodeRestoration } from '../fold';
import { newNode, type NodeRow, type NodeState } from '../node-state';
import { foldNodeDeletion, foldNodeExpiry, foldNodePurge, foldReportPurge } from './fold-lifecycle';

const t1 = '2024-01-01T00:00:00.000Z';
const t2 = '2024-01-02T00:00:00.000Z';
const t3 = '2024-01-03T00:00:00.000Z';
const clock = '2024-06-01T00:00:00.000Z';
const place = { partition: 3, offset: 17 };
const marked = { logPartition: 3, logOffset: 17 };

function stored(row: Partial<NodeRow>): NodeState {
  const state = newNode('1', 'a');
  state.stored = true;
  Object.assign(state.row, row);
  return state;
}

describe('expiry', () => {
  const expire = { kind: 'node expiry', certname: 'a', expired: clock, cutoff: t2 } as const;

  it.each([
    ['facts', { factsProducerTimestamp: t1 }],
    ['a catalog', { catalogProducerTimestamp: t1 }],
    ['a report', { reportProducerTimestamp: t1 }],
    ['catalog inputs', { inputsProducerTimestamp: t1 }],
    ['an expiration setting', { expiresFactsUpdated: t1 }],
    ['nothing that has a time', {}],
  ])('takes a node that only has %s from before the cut-off, at the clock of the record', (_, row) => {
    const state = stored(row);
    expect(foldNodeExpiry(state, expire, place)).toBe(true);
    expect(state).toMatchObject({ dirty: true, row: { expired: clock, expiredCutoff: t2, ...marked } });
  });

  it.each([
    ['facts as old as the cut-off', { factsProducerTimestamp: t2 }],
    ['newer facts', { factsProducerTimestamp: t3 }],
    ['a newer catalog', { factsProducerTimestamp: t1, catalogProducerTimestamp: t3 }],
    ['a newer report', { factsProducerTimestamp: t1, reportProducerTimestamp: t3 }],
    ['newer inputs', { factsProducerTimestamp: t1, inputsProducerTimestamp: t3 }],
    ['a newer expiration setting', { factsProducerTimestamp: t1, expiresFactsUpdated: t3 }],
    ['facts that never expire', { factsProducerTimestamp: t1, expiresFacts: false, expiresFactsUpdated: t1 }],
    ['a deactivation', { factsProducerTimestamp: t1, deactivated: t1 }],
    ['an earlier expiry', { factsProducerTimestamp: t1, expired: t1 }],
  ])('leaves a node with %s as it is', (_, row) => {
    const state = stored(row);
    expect(foldNodeExpiry(state, expire, place)).toBe(false);
    expect(state).toEqual(stored(row));
  });

  it('takes a node that a base has brought back and that is not stored yet', () => {
    const state = newNode('1', 'a');
    const life = { deactivated: null, expired: null, expiredCutoff: null, expireFacts: true, expireFactsUpdated: t1 };
    foldNodeRestoration(state, { kind: 'node restoration', certname: 'a', ...life }, { partition: 3, offset: 4 });
    expect(foldNodeExpiry(state, expire, place)).toBe(true);
    expect(state.row).toMatchObject({ expired: clock, expiredCutoff: t2, ...marked });
  });

  it('creates no node', () => {
    const state = newNode('1', 'a');
    expect(foldNodeExpiry(state, expire, place)).toBe(false);
    expect(state).toEqual(newNode('1', 'a'));
  });
});

describe('purge', () => {
  const purge = { kind: 'node purge', certname: 'a', cutoff: t2 } as const;

  it.each([
    ['deactivated', { deactivated: t1 }],
    ['expired', { expired: t1 }],
    ['expired, and deactivated later', { expired: t1, deactivated: t3 }],
  ])('takes a node that was %s before the cut-off; its state is new', (_, row) => {
    const state = stored({ factsProducerTimestamp: t1, ...marked, ...row });
    expect(foldNodePurge(state, purge)).toBe(true);
    expect(state).toEqual(newNode('1', 'a'));
  });

  it.each([
    ['active', {}],
    ['deactivated at the cut-off', { deactivated: t2 }],
    ['expired later', { expired: t3 }],
  ])('leaves a node that is %s', (_, row) => {
    const state = stored({ factsProducerTimestamp: t1, ...row });
    expect(foldNodePurge(state, purge)).toBe(false);
    expect(state).toEqual(stored({ factsProducerTimestamp: t1, ...row }));
  });
});

it('a deletion leaves nothing of a node, not even that something is to be written', () => {
  const state = stored({ factsProducerTimestamp: t3, expiresFacts: false });
  state.dirty = true;
  state.factDigest = Buffer.alloc(16);
  foldNodeDeletion(state);
  expect(state).toEqual(newNode('1', 'a'));
});

describe('purge of reports', () => {
  /** Every column that the latest report fills. */
  const latest = {
    ...{ reportTimestamp: t1, reportEnvironment: 'e', cachedCatalogStatus: 'not_used' },
    ...{ latestReportStatus: 'failed', latestReportHash: 'h', latestReportJobId: 'j' },
    ...{ latestReportNoop: true, latestReportNoopPending: true, latestReportCorrectiveChange: true },
  };

  it('leaves a node without a latest report where that one goes, and keeps everything else', () => {
    const state = stored({ ...latest, reportProducerTimestamp: t1, factsProducerTimestamp: t1, deactivated: t1 });
    foldReportPurge(state, { kind: 'report purge', certname: 'a', cutoff: t2 }, place);
    expect(state).toEqual({ ...stored({ factsProducerTimestamp: t1, deactivated: t1, ...marked }), dirty: true });
  });

  it.each([t2, t3])('keeps the latest report of %s', (reportProducerTimestamp) => {
    const state = stored({ ...latest, reportProducerTimestamp });
    foldReportPurge(state, { kind: 'report purge', certname: 'a', cutoff: t2 }, place);
    expect(state).toEqual({ ...stored({ ...latest, reportProducerTimestamp, ...marked }), dirty: true });
  });

  it('keeps its place where it takes nothing of a node, as nothing else may be left that tells of it', () => {
    const state = stored({});
    foldReportPurge(state, { kind: 'report purge', certname: 'a', cutoff: t2 }, place);
    expect(state).toEqual({ ...stored(marked), dirty: true });
  });

  it('creates no node', () => {
    const state = newNode('1', 'a');
    expect(foldReportPurge(state, { kind: 'report purge', certname: 'a', cutoff: t2 }, place)).toBe(t2);
    expect(state).toEqual(newNode('1', 'a'));
  });
});

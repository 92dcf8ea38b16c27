import type { WireDeactivation, WireExpiration, WireFactset, WireNodeRestoration, WireReport } from '#wire';
import {
  foldCatalogInputs,
  foldDeactivation,
  foldExpiration,
  foldFactset,
  foldNodeRestoration,
  foldReport,
} from './fold';
import { newNode, type NodeState } from './node-state';

const t1 = '2024-01-01T00:00:00.000Z';
const t2 = '2024-01-02T00:00:00.000Z';
const t3 = '2024-01-03T00:00:00.000Z';
const received = '2024-06-01T00:00:00.000Z';
const position = { partition: 3, offset: 17 };

const facts = (producerTimestamp: string): WireFactset => ({
  kind: 'facts',
  certname: 'a',
  environment: 'production',
  producer: null,
  producerTimestamp,
  hash: '',
  facts: [],
  values: () => '{}',
  packages: undefined,
  packageCount: 0,
  packageDigest: undefined,
  size: { leaves: 0, pathElements: 0, pathCharacters: 0 },
});
const deactivation = (producerTimestamp: string | null): WireDeactivation => ({
  kind: 'deactivation',
  certname: 'a',
  producerTimestamp,
});
const report = (producerTimestamp: string, over: Partial<WireReport> = {}): WireReport => ({
  kind: 'report',
  certname: 'a',
  hash: `hash of ${producerTimestamp}`,
  environment: 'production',
  status: 'unchanged',
  noop: false,
  noopPending: false,
  correctiveChange: false,
  agentVersion: '8.0.0',
  reportFormat: 12,
  configurationVersion: '1',
  startTime: producerTimestamp,
  endTime: producerTimestamp,
  producerTimestamp,
  producer: null,
  transactionUuid: null,
  catalogUuid: null,
  codeId: null,
  cachedCatalogStatus: null,
  jobId: null,
  type: 'agent',
  logs: '[]',
  metrics: '[]',
  resources: '[]',
  events: [],
  ...over,
});

describe('a factset', () => {
  it('counts when it is newer or as old as the stored one, and not when it is older', () => {
    const node = newNode('1', 'a');
    expect(foldFactset(node, facts(t2), received)).toBe(true);
    expect(foldFactset(node, facts(t2), received)).toBe(true);
    expect(foldFactset(node, facts(t1), received)).toBe(false);
    expect(node.row.factsProducerTimestamp).toBe(t2);
    expect(node.row.factsTimestamp).toBe(received);
  });
});

describe('deactivation', () => {
  it.each([
    ['before it', t1, t2],
    ['at its very time', t2, t2],
  ])('keeps the node away when facts come that were made %s', (_, factsTime, since) => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(t2), received, position);
    expect(foldFactset(node, facts(factsTime), received)).toBe(true);
    expect(node.row.deactivated).toBe(since);
  });

  it('ends with newer facts', () => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(t2), received, position);
    foldFactset(node, facts(t3), received);
    expect(node.row.deactivated).toBeNull();
  });

  it('is ignored where something newer is known, moves on with a later one, never back', () => {
    const node = newNode('1', 'a');
    foldReport(node, report(t2));
    foldDeactivation(node, deactivation(t1), received, position);
    expect(node.row.deactivated).toBeNull();
    foldDeactivation(node, deactivation(t3), received, position);
    foldDeactivation(node, deactivation(t2), received, position);
    expect(node.row.deactivated).toBe(t3);
  });

  it('counts at the received time where the payload has none', () => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(null), received, position);
    expect(node.row.deactivated).toBe(received);
    expect(node.dirty).toBe(true);
  });
});

describe('a report', () => {
  it('is the latest by its producer timestamp, whatever order reports come in; the first of equals wins', () => {
    const node = newNode('1', 'a');
    expect(foldReport(node, report(t2, { status: 'failed' }))).toBe(true);
    expect(foldReport(node, report(t1, { status: 'changed' }))).toBe(false);
    expect(foldReport(node, report(t2, { status: 'changed' }))).toBe(false);
    expect(node.row.latestReportStatus).toBe('failed');
  });

  it('of a plan is never the latest, and activates its node all the same', () => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(t1), received, position);
    expect(foldReport(node, report(t2, { type: 'plan' }))).toBe(false);
    expect(node.row.latestReportHash).toBeNull();
    expect(node.row.deactivated).toBeNull();
  });
});

it('an empty list of catalog inputs does nothing, not even activate', () => {
  const node = newNode('1', 'a');
  foldDeactivation(node, deactivation(t1), received, position);
  const inputs = { kind: 'inputs', certname: 'a', producerTimestamp: t2, catalogUuid: '', inputs: [] } as const;
  expect(foldCatalogInputs(node, inputs, received)).toBe(false);
  expect(node.row.deactivated).toBe(t1);
  const unseen = newNode('2', 'b');
  foldCatalogInputs(unseen, { ...inputs, certname: 'b' }, received);
  expect(unseen.dirty).toBe(false);
});

describe('the place of a node’s life', () => {
  const expiration = (producerTimestamp: string, expireFacts: boolean): WireExpiration => ({
    kind: 'expiration',
    certname: 'a',
    producerTimestamp,
    expireFacts,
  });
  const at = (offset: number): { partition: number; offset: number } => ({ partition: 3, offset });
  const positionOf = ({ row }: NodeState): unknown[] => [row.logPartition, row.logOffset];

  it('is that of the last deactivation or expiration setting that was applied', () => {
    const node = newNode('1', 'a');
    foldFactset(node, facts(t1), received);
    foldReport(node, report(t1));
    expect(positionOf(node)).toEqual([null, null]);
    foldDeactivation(node, deactivation(t2), received, at(4));
    expect(positionOf(node)).toEqual([3, 4]);
    foldDeactivation(node, deactivation(t1), received, at(5));
    expect(positionOf(node)).toEqual([3, 4]);
    foldExpiration(node, expiration(t2, false), received, at(6));
    expect(positionOf(node)).toEqual([3, 6]);
    foldExpiration(node, expiration(t2, true), received, at(7));
    expect(positionOf(node)).toEqual([3, 6]);
  });

  it('stays where it is when a document, or a setting that is too old, activates the node', () => {
    const node = newNode('1', 'a');
    foldExpiration(node, expiration(t3, false), received, at(1));
    foldDeactivation(node, deactivation(t1), received, at(2));
    foldExpiration(node, expiration(t2, true), received, at(3));
    expect(node.row).toMatchObject({ deactivated: null, expiresFacts: false, logPartition: 3, logOffset: 2 });
    foldFactset(node, facts(t3), received);
    expect(positionOf(node)).toEqual([3, 2]);
  });
});

describe('an expired node', () => {
  const clock = '2024-05-01T00:00:00.000Z';
  const expire = ({ row }: NodeState, expiredCutoff: string): void =>
    void Object.assign(row, { expired: clock, expiredCutoff });
  function expired(): NodeState {
    const node = newNode('1', 'a');
    foldFactset(node, facts(t1), received);
    expire(node, t2);
    expect(node.row).toMatchObject({ expired: clock, expiredCutoff: t2 });
    return node;
  }

  it.each([
    ['before the cut-off', '2024-01-01T23:59:59.999Z', { expired: clock, expiredCutoff: t2 }],
    ['at the cut-off', t2, { expired: null, expiredCutoff: null }],
    ['after the cut-off, but before the clock of the cleaning', t3, { expired: null, expiredCutoff: null }],
  ])('is told by facts that were made %s', (_, time, row) => {
    const node = expired();
    expect(foldFactset(node, facts(time), received)).toBe(true);
    expect(node.row).toMatchObject({ ...row, factsProducerTimestamp: time });
  });

  it('comes back with a report and an expiration setting as well', () => {
    const reported = expired();
    foldReport(reported, report(t2));
    expect(reported.row.expired).toBeNull();
    const set = expired();
    foldExpiration(
      set,
      { kind: 'expiration', certname: 'a', producerTimestamp: t2, expireFacts: false },
      received,
      position,
    );
    expect(set.row.expired).toBeNull();
  });

  it('that is deactivated as well comes back only with what neither forbids', () => {
    const node = expired();
    foldDeactivation(node, deactivation(t3), received, position);
    const away = { deactivated: t3, expired: clock, expiredCutoff: t2 };
    expect(node.row).toMatchObject(away);
    for (const time of [t2, t3]) {
      foldFactset(node, facts(time), received);
      expect(node.row).toMatchObject(away);
    }
    foldFactset(node, facts('2024-01-03T00:00:00.001Z'), received);
    expect(node.row).toMatchObject({ deactivated: null, expired: null, expiredCutoff: null });
  });

  it('that was deactivated before the cut-off comes back only with what is not older than the cut-off', () => {
    const node = newNode('1', 'a');
    foldNodeRestoration(
      node,
      {
        ...{ kind: 'node restoration', certname: 'a', deactivated: t1, expired: clock, expiredCutoff: t3 },
        ...{ expireFacts: true, expireFactsUpdated: null },
      },
      position,
    );
    foldFactset(node, facts(t2), received);
    expect(node.row).toMatchObject({ deactivated: t1, expired: clock });
    foldFactset(node, facts(t3), received);
    expect(node.row).toMatchObject({ deactivated: null, expired: null });
  });
});

describe('a restored node', () => {
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

  it('is created, and nothing is known of it but its life', () => {
    const node = newNode('1', 'a');
    foldNodeRestoration(node, restoration({ expireFacts: false, expireFactsUpdated: t1 }), position);
    const { row } = newNode('1', 'a');
    expect(node.row).toEqual({ ...row, expiresFacts: false, expiresFactsUpdated: t1, logPartition: 3, logOffset: 17 });
    expect(node.dirty).toBe(true);
  });

  it('is as the base says, whatever stood there, and keeps its documents', () => {
    const node = newNode('1', 'a');
    foldFactset(node, facts(t3), received);
    foldDeactivation(node, deactivation(t3), received, { partition: 3, offset: 1 });
    foldNodeRestoration(node, restoration({ deactivated: t1, expired: t2, expiredCutoff: t1 }), position);
    expect(node.row).toMatchObject({ deactivated: t1, expired: t2, factsProducerTimestamp: t3, logOffset: 17 });
    expect(node.row.expiredCutoff).toBe(t1);
    foldNodeRestoration(node, restoration({}), position);
    expect(node.row).toMatchObject({ deactivated: null, expired: null, expiresFacts: true, expiresFactsUpdated: null });
    expect(node.row.expiredCutoff).toBeNull();
  });
});

import type { WireDeactivation, WireFactset, WireReport } from '#wire';
import { foldCatalogInputs, foldDeactivation, foldFactset, foldReport } from './fold';
import { newNode } from './node-state';

const t1 = '2024-01-01T00:00:00.000Z';
const t2 = '2024-01-02T00:00:00.000Z';
const t3 = '2024-01-03T00:00:00.000Z';
const received = '2024-06-01T00:00:00.000Z';

const facts = (producerTimestamp: string): WireFactset => ({
  kind: 'facts',
  certname: 'a',
  environment: 'production',
  producer: null,
  producerTimestamp,
  hash: '',
  facts: [],
  packages: undefined,
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
    foldDeactivation(node, deactivation(t2), received);
    expect(foldFactset(node, facts(factsTime), received)).toBe(true);
    expect(node.row.deactivated).toBe(since);
  });

  it('ends with newer facts', () => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(t2), received);
    foldFactset(node, facts(t3), received);
    expect(node.row.deactivated).toBeNull();
  });

  it('is ignored where something newer is known, moves on with a later one, never back', () => {
    const node = newNode('1', 'a');
    foldReport(node, report(t2));
    foldDeactivation(node, deactivation(t1), received);
    expect(node.row.deactivated).toBeNull();
    foldDeactivation(node, deactivation(t3), received);
    foldDeactivation(node, deactivation(t2), received);
    expect(node.row.deactivated).toBe(t3);
  });

  it('counts at the received time where the payload has none', () => {
    const node = newNode('1', 'a');
    foldDeactivation(node, deactivation(null), received);
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
    foldDeactivation(node, deactivation(t1), received);
    expect(foldReport(node, report(t2, { type: 'plan' }))).toBe(false);
    expect(node.row.latestReportHash).toBeNull();
    expect(node.row.deactivated).toBeNull();
  });
});

it('an empty list of catalog inputs does nothing, not even activate', () => {
  const node = newNode('1', 'a');
  foldDeactivation(node, deactivation(t1), received);
  const inputs = { kind: 'inputs', certname: 'a', producerTimestamp: t2, catalogUuid: '', inputs: [] } as const;
  expect(foldCatalogInputs(node, inputs, received)).toBe(false);
  expect(node.row.deactivated).toBe(t1);
  const unseen = newNode('2', 'b');
  foldCatalogInputs(unseen, { ...inputs, certname: 'b' }, received);
  expect(unseen.dirty).toBe(false);
});

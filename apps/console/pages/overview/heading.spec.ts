import type { Cause, Failures, Summary } from '../../service/shapes';
import { headingOf } from './heading';

const summary = (total: number, failed: number, unreported: number): Summary => ({
  at: '2026-11-24T12:00:00.000Z',
  total,
  nodes: { failed, unreported, changed: 1, noop: 0, noop_pending: 0, unchanged: total - failed - unreported - 1 },
  environments: [],
});
const cause = { nodes: 4, since: new Date().toISOString() } as Cause;
const failures = (...causes: readonly Cause[]): Failures => ({ causes, others: 0, complete: true });

test('says first what is wrong', () => {
  expect(headingOf(summary(2412, 7, 17), failures(cause))).toEqual({
    title: '7 of 2,412 nodes failed their last run',
    note: expect.stringMatching(
      /^4 of them share one cause, since .+\. 17 nodes have not reported for 2 h\.$/,
    ) as string,
  });
  expect(headingOf(summary(10, 1, 0), failures({ ...cause, nodes: 1 }))).toEqual({
    title: '1 of 10 nodes failed its last run',
    note: '',
  });
});

test('says that nodes are silent if none failed, and that all are fine if none is silent', () => {
  expect(headingOf(summary(10, 0, 1), undefined).title).toBe('1 node has not reported for 2 h');
  expect(headingOf(summary(10, 0, 0), undefined)).toEqual({
    title: 'All 10 nodes are fine',
    note: '1 node changed in the last run.',
  });
});

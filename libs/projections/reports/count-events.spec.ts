import type { WireEvent } from '#wire';
import { countEvents } from './count-events';

const event = (status: string | null, containingClass: string | null, correctiveChange: boolean | null): WireEvent =>
  ({ status, containingClass, correctiveChange }) as WireEvent;

it('counts by containing class and status, corrective ones apart; other statuses nowhere', () => {
  const counts = countEvents([
    event('success', 'Ntp', true),
    event('success', 'Ntp', false),
    event('failure', 'Ntp', true),
    event('noop', null, true),
    event('noop', null, false),
    event('skipped', null, null),
    event('audit', null, null),
  ]);
  expect(counts).toEqual([
    {
      containingClass: 'Ntp',
      successes: 2,
      failures: 1,
      noops: 0,
      skips: 0,
      correctiveSuccesses: 1,
      correctiveNoops: 0,
    },
    {
      containingClass: null,
      successes: 0,
      failures: 0,
      noops: 2,
      skips: 1,
      correctiveSuccesses: 0,
      correctiveNoops: 1,
    },
  ]);
});

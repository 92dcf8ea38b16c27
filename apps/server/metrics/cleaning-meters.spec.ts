import { type CleaningStep, type CleanRequest, cleanEverything } from '#admin';
import type { Timer } from '#metrics';
import { cleanNothing } from '../../../test/support/clean-nothing';
import { CleaningMeters } from './cleaning-meters';

const run = (meters: CleaningMeters, request: CleanRequest, steps: readonly CleaningStep[], done = true): void => {
  meters.started(request);
  for (const step of steps) meters.did(step);
  meters.ended(done);
};
const counts = (meters: CleaningMeters): number[] =>
  [meters.other, meters.otherCollection, meters.of('collect_packages'), meters.of('collect_fact_paths')].map(
    ({ count }: Timer) => count,
  );

test('a cleaning counts once for each step, and once for a group of steps if it was completed', () => {
  const meters = new CleaningMeters();
  run(meters, { ...cleanNothing, collectPackages: true }, ['collect_packages', 'collect_packages']);
  expect(counts(meters)).toEqual([0, 0, 1, 0]);
  run(meters, { ...cleanNothing, collectOther: true }, [
    'purge_dead_letters',
    'collect_fact_paths',
    'collect_producers',
  ]);
  expect(counts(meters)).toEqual([1, 1, 1, 1]);
  run(meters, cleanEverything, ['apply_age_limits', 'collect_fact_paths'], false);
  expect(counts(meters)).toEqual([1, 1, 1, 2]);
  expect(meters.of('apply_age_limits').count).toBe(1);
});

test('says what is under way in the words of PuppetDB', () => {
  const meters = new CleaningMeters();
  expect(meters.underWay).toBe('');
  meters.started(cleanEverything);
  expect(meters.underWay).toBe('expiring-nodes package-gc other purging-nodes purging-reports');
  meters.ended(false);
  expect(meters.underWay).toBe('');
  meters.started({ ...cleanNothing, purgeNodes: { limit: 0 } });
  expect(meters.underWay).toBe('purging-nodes');
  meters.started({ ...cleanNothing, purgeEvents: true, collectResources: true, collectPaths: true });
  expect(meters.underWay).toBe('catalog-gc fact-paths-gc purging-resource-events');
});

import fc from 'fast-check';
import { twoOrders } from './arbitraries';
import type { NodeView } from './model';
import { propertyRuns, ScheduleRunner } from './schedule-runner';
import { timeOf, type CommandStep } from './steps';

let runner: ScheduleRunner;
beforeAll(async () => {
  runner = await ScheduleRunner.open();
});
afterAll(() => runner.close());

/** Columns that do not follow from the documents: positions, times of receipt, and values that contain the certname. */
const ofArrival = new Set([
  'certname',
  'hash',
  'latest_report_hash',
  'timestamp',
  'receive_time',
  'facts_timestamp',
  'catalog_timestamp',
  'log_partition',
  'log_offset',
]);
const withoutArrival = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (ofArrival.has(key) ? undefined : inner)));

/**
 * By node. Reports are named by their time, so that names (and hashes made from them) do not differ between two runs.
 */
function comparable(stored: Record<string, unknown>, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stored).map(([certname, view]) => {
      const { reports, events, counts, ...rest } = view as NodeView;
      const timeOfReport = (key: string): string =>
        (reports[key.slice(0, 40)] as { producer_timestamp: string }).producer_timestamp + key.slice(40);
      const byTime = (keyed: Record<string, unknown>): Record<string, unknown> =>
        Object.fromEntries(Object.entries(keyed).map(([key, value]) => [timeOfReport(key), withoutArrival(value)]));
      const found = { reports: byTime(reports), counts: byTime(counts), events: byTime(events) };
      return [certname.slice(prefix.length), { ...(withoutArrival(rest) as object), ...found }];
    }),
  );
}

const latestOf = (steps: readonly CommandStep[], node: string, kind: CommandStep['do']): number | undefined => {
  const times = steps.filter((step) => step.node === node && step.do === kind).map((step) => step.at as number);
  return times.length === 0 ? undefined : Math.max(...times);
};
const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : timeOf(at));

it('end equal, whatever the order in which commands of different times arrive', async () => {
  await fc.assert(
    fc.asyncProperty(twoOrders, async ({ one, other }) => {
      const ends: Record<string, unknown>[] = [];
      for (const order of [one, other]) {
        const played = await runner.play(order);
        const { stored } = await runner.compare(runner.bench.generation, played);
        ends.push(comparable(stored, played.prefix));
      }
      expect(ends[0]).toEqual(ends[1]);
      for (const node of new Set(one.map((step) => step.node))) {
        const [facts, catalog, report, away] = (['facts', 'catalog', 'report', 'deactivate'] as const).map((kind) =>
          latestOf(one, node, kind),
        );
        const heard = Math.max(facts ?? -1, catalog ?? -1, report ?? -1);
        expect(ends[0]?.[node]).toMatchObject({
          node: {
            deactivated: away !== undefined && away > heard ? timeOf(away) : null,
            facts_producer_timestamp: timeOrNull(facts),
            catalog_producer_timestamp: timeOrNull(catalog),
            report_producer_timestamp: timeOrNull(report),
          },
        });
      }
    }),
    { numRuns: propertyRuns(40) },
  );
}, 600_000);

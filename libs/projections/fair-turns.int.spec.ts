import { defaultLimits } from '#limits';
import { partitionOf } from '#log';
import { event, factset, report } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { until } from '../../test/support/until';

/** The list of `f(0)` to `f(count - 1)`. */
const list = <T>(count: number, f: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => f(index));
const producedAt = (minute: number): { producer_timestamp: string } => ({
  producer_timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
});

let bench: ProjectionBench;
const stop = new AbortController();
/** The certname of each record in the order in which batches committed them, and the sizes of the batches. */
const committed: string[] = [];
const batches: number[] = [];
let running: Promise<void>;

beforeAll(async () => {
  bench = await ProjectionBench.open(2);
  let begun: readonly { readonly certname: string }[] = [];
  running = bench
    .projector({
      group: 'fair',
      onBegin: (records) => void (begun = records),
      onBatch: (records) => {
        committed.push(...begun.slice(0, records).map(({ certname }) => certname));
        batches.push(records);
      },
    })
    .run(stop.signal);
});
beforeEach(() => {
  committed.length = 0;
  batches.length = 0;
});
afterAll(async () => {
  stop.abort();
  await running;
  await bench.close();
});

const names = list(40, (n) => `node${n}.example`);
const [heavyNode, same] = names.filter((name) => partitionOf(name, 2) === 0) as [string, string];
const lightNode = { same, other: names.find((name) => partitionOf(name, 2) === 1)! };

test('a command of another partition waits for one heavy document at most, not for a backlog', async () => {
  // Reports replace nothing, so that each needs a batch.
  const heavy = (minute: number): Promise<unknown> =>
    bench.submit('store report', heavyNode, {
      payload: report(
        heavyNode,
        list(5_000, (n) => event(`p${n}`)),
        producedAt(minute),
      ),
    });
  for (let minute = 0; minute < 6; minute++) await heavy(minute);
  await until(() => committed.length > 0);
  const before = committed.length;
  await bench.submit('replace facts', lightNode.other, { payload: factset(lightNode.other, { a: 1 }) });
  await until(() => committed.length === 7);
  expect(committed.indexOf(lightNode.other)).toBeLessThanOrEqual(before + 1);
  expect(bench.deadLetters).toEqual([]);
});

test('of heavy documents of one node that replace each other, only the newest of a batch is written', async () => {
  const facts = (minute: number): Promise<unknown> =>
    bench.submit('replace facts', heavyNode, {
      payload: factset(heavyNode, { a: list(9_000, () => minute) }, producedAt(minute)),
    });
  await Promise.all(list(8, facts));
  await bench.submit('replace facts', lightNode.same, { payload: factset(lightNode.same, { a: 1 }) });
  await until(() => committed.includes(lightNode.same));
  expect(batches.length).toBeLessThanOrEqual(3);
});

/** Minutes. Each document is newer than all before it. */
let clock = 10;
const most = defaultLimits;
/** The heaviest documents that the default limits allow. None has anything in common with the one before. */
const heaviest: Record<string, (minute: number) => [command: string, payload: object]> = {
  'a fact of many values': (minute) => [
    'replace facts',
    factset(heavyNode, { a: list(most.factLeaves, () => minute) }, producedAt(minute)),
  ],
  'many facts': (minute) => [
    'replace facts',
    factset(heavyNode, Object.fromEntries(list(most.factLeaves, (n) => [`${minute}x${n}`, n])), producedAt(minute)),
  ],
  'a report': (minute) => [
    'store report',
    report(
      heavyNode,
      list(most.events, (n) => event(`p${n}`)),
      producedAt(minute),
    ),
  ],
};

test.each(Object.keys(heaviest))(
  '%s as heavy as the limits allow delays other nodes by seconds at most',
  async (kind) => {
    const submit = async (): Promise<void> => {
      const [command, payload] = heaviest[kind]!(++clock);
      await bench.submit(command, heavyNode, { payload });
    };
    const timed = async (condition: () => boolean): Promise<number> => {
      const start = performance.now();
      await until(condition, { everyMs: 1 });
      return performance.now() - start;
    };
    await submit();
    const alone = await timed(() => committed.length === 1);
    await submit();
    await submit();
    const lightNodes = Object.values(lightNode);
    for (const certname of lightNodes) {
      await bench.submit('replace facts', certname, { payload: factset(certname, { a: kind }, producedAt(clock)) });
    }
    const waited = await timed(() => lightNodes.every((certname) => committed.includes(certname)));
    await until(() => committed.length === 5);
    // The machine may be slow: then the document alone takes longer, too.
    expect(waited).toBeLessThan(Math.max(2_000, 3 * alone));
    expect(bench.deadLetters).toEqual([]);
  },
);

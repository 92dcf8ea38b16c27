import { readFile } from 'node:fs/promises';
import { defaultLimits } from '#limits';
import { partitionOf } from '#log';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { until } from '../../test/support/until';

/** Returns the list of `f(0)` to `f(count - 1)`. */
const list = <T>(count: number, f: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => f(index));
const producedAt = (minute: number): { producer_timestamp: string } => ({
  producer_timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
});

let bench: ProjectionBench;
const stop = new AbortController();
/** Certnames of records in the order of commits, and the sizes of the batches. */
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
  // Jest repeats a test after all other tests, and the last test makes dead letters.
  bench.deadLetters.length = 0;
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
  // A report does not replace another report, so each report needs a batch.
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

/** Counts lists, maps and values, as the limit `documentValues` does. */
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 0)
    : 1;

/** Number of minutes. It grows, so that each document is newer than all earlier documents. */
let clock = 10;
const most = defaultLimits;
/** The heaviest documents that the default limits allow. No document shares content with the previous document. */
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
  'a catalog with many edges': (minute) => {
    const titles = list(most.resources, (n) => `/${minute}x${n}`);
    const spare = most.documentValues - titles.length * valuesOf(resource(titles[0]!)) - 1_000;
    const edges = list(Math.min(most.edges, Math.floor(spare / valuesOf(edge('a', 'b')))), (n) => {
      const source = n % titles.length;
      const distance = 1 + Math.floor(n / titles.length);
      return edge(titles[source]!, titles[(source + distance) % titles.length]!);
    });
    const resources = titles.map((title) => resource(title));
    return ['replace catalog', catalog(heavyNode, resources, edges, producedAt(minute))];
  },
  'a catalog with many parameters': (minute) => {
    const titles = list(most.resources, (n) => `/${minute}x${n}`);
    const spare = most.documentValues / titles.length - valuesOf(resource(titles[0]!)) - 1;
    const resources = titles.map((title) =>
      resource(title, { parameters: Object.fromEntries(list(Math.floor(spare), (n) => [`p${n}`, `${title}${n}`])) }),
    );
    return ['replace catalog', catalog(heavyNode, resources, [], producedAt(minute))];
  },
};

/**
 * Returns the processor time in milliseconds that this process and its PostgreSQL backends have used. Other processes
 * on the machine do not change it.
 */
async function processorMs(): Promise<number> {
  const { user, system } = process.cpuUsage();
  let ms = (user + system) / 1_000;
  for (const { pid } of await bench.rows<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
  )) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // Fields 14 and 15, after the name in brackets: user and system time in hundredths of a second.
    const fields = stat?.split(') ')[1]!.split(' ') ?? [];
    ms += 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
  }
  return ms;
}

/** On an idle machine the heaviest document takes less than 2 s. Two threads that share a core take about half as long again. */
const mostProcessorMs = 3_000;

// Retries once, because the projector may read the record of the other partition too late on a busy machine.
jest.retryTimes(1);

test.each(Object.keys(heaviest))('%s as heavy as the limits allow delays another partition once', async (kind) => {
  const [one, two, three] = list(3, () => {
    const [command, payload] = heaviest[kind]!(++clock);
    const text = JSON.stringify(payload);
    return () => bench.submit(command, heavyNode, { payload: text });
  }) as [() => Promise<unknown>, () => Promise<unknown>, () => Promise<unknown>];
  await one();
  const before = await processorMs();
  await until(() => committed.length === 1, { everyMs: 10 });
  expect((await processorMs()) - before).toBeLessThan(mostProcessorMs);

  // All documents are in the log before the projector has read the first of them.
  await Promise.all([
    two(),
    three(),
    ...Object.values(lightNode).map((certname) =>
      bench.submit('replace facts', certname, { payload: factset(certname, { a: kind }, producedAt(clock)) }),
    ),
  ]);
  await until(() => committed.length === 5, { everyMs: 10 });
  expect(bench.deadLetters.map(({ error }) => String(error))).toEqual([]);
  // The first document, at most one batch of the heavy node, then the other partition.
  const [first, second = 0] = batches;
  expect(committed.indexOf(lightNode.other)).toBeLessThanOrEqual(first! + second);
});

test('documents above the limits delay a node of the same partition by less than 2 s', async () => {
  const changing = factset(heavyNode, { a: list(99_000, () => ++clock) }, producedAt(++clock));
  const many = list(4, (document) => {
    const facts = Object.fromEntries(list(99_000, (n) => [`${document}x${n}`, n]));
    return factset(heavyNode, facts, producedAt(++clock));
  });
  const rejected = bench.deadLetters.length;
  for (const document of [changing, ...many])
    await bench.submit('replace facts', heavyNode, { payload: JSON.stringify(document) });
  const before = await processorMs();
  await bench.submit('replace facts', lightNode.same, {
    payload: factset(lightNode.same, { a: 1 }, producedAt(++clock)),
  });
  await until(() => committed.includes(lightNode.same));
  expect((await processorMs()) - before).toBeLessThan(2_000);
  expect(bench.deadLetters.slice(rejected).map(({ error }) => String(error))).toEqual(
    list(5, () => expect.stringContaining('values in the facts of a node') as string),
  );
});

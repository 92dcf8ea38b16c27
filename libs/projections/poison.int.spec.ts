import { defaultLimits } from '#limits';
import { catalog, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { BatchApplier } from './projector/batch-applier';
import { SuspectRecords } from './projector/suspects';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  await bench.refuseResource('/bad');
});
afterAll(() => bench.close());
beforeEach(() => void bench.deadLetters.splice(0));

const catalogsOf = async (run: string): Promise<string[]> => {
  const rows = await bench.rows<{ certname: string }>(
    `SELECT certname FROM {schema}.nodes JOIN {schema}.catalogs USING (node) WHERE certname LIKE $1 ORDER BY 1`,
    [`${run}-%`],
  );
  return rows.map(({ certname }) => certname);
};

const indexes = [0, 1, 2, 3, 4];
test.each([...indexes.map((index) => [[index]]), [[0, 1]], [[3, 4]], [[0, 4]], [indexes]])(
  'of a batch of five, the records at %j are poison: they become dead letters, and no others',
  async (bad) => {
    const run = `run-${bad.join('')}`;
    for (const index of indexes) {
      const title = bad.includes(index) ? '/bad' : `/${run}-${index}`;
      await bench.submit('replace catalog', `${run}-${index}`, {
        payload: catalog(`${run}-${index}`, [resource(title)], []),
      });
    }
    await bench.settle();
    const named = (wanted: number[]): string[] => wanted.map((index) => `${run}-${index}`);
    expect(bench.deadLetters.map(({ record }) => record.certname)).toEqual(named(bad));
    expect(await catalogsOf(run)).toEqual(named(indexes.filter((index) => !bad.includes(index))));
  },
);

test('a batch that nothing is wrong with is applied once', async () => {
  const starts = await bench.log.ends();
  for (const index of indexes) {
    await bench.submit('replace catalog', `good-${index}`, {
      payload: catalog(`good-${index}`, [resource(`/good-${index}`)], []),
    });
  }
  const begun: number[] = [];
  const applied: number[] = [];
  await bench
    .projector({
      until: await bench.log.ends(),
      batchRecords: 2,
      onBegin: (records) => begun.push(...records.map(({ offset }) => offset)),
      onBatch: (count) => applied.push(count),
    })
    .run(new AbortController().signal);
  const first = starts.get(0) as number;
  expect(begun).toEqual(indexes.map((index) => first + index));
  expect(applied.reduce((sum, count) => sum + count, 0)).toBe(indexes.length);
});

test('a batch that another projector has applied is given up as a whole, and is nobody’s poison', async () => {
  const starts = await bench.log.ends();
  for (const index of indexes) {
    await bench.submit('replace catalog', `raced-${index}`, { payload: catalog(`raced-${index}`, [], []) });
  }
  const reader = bench.log.reader(starts);
  const records = await reader.next({ maxRecords: 100, maxBytes: 1 << 20 });
  await reader.close();
  await bench.settle();
  let begun = 0;
  const { db, log, logId, generation } = bench;
  const options = { db, log, logId, generation, maxCommandBytes: 1 << 20, limits: defaultLimits };
  const applier = new BatchApplier(
    { ...options, onBegin: () => (begun += 1), onDeadLetter: (letter) => void bench.deadLetters.push(letter) },
    100,
    new SuspectRecords(undefined, undefined),
    () => undefined,
  );
  await expect(applier.apply(records, new AbortController().signal)).rejects.toMatchObject({ code: 'database.fenced' });
  expect([records.length, begun, bench.deadLetters]).toEqual([indexes.length, 1, []]);
});

import { factset, catalog, resource } from '../../test/support/documents';
import { logInParts } from '../../test/support/log-in-parts';
import { ProjectionBench } from '../../test/support/projection';

const time = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const inventories = {
  a: [
    ['openssl', '3.0.7', 'apt'],
    ['bash', '5.1', 'apt'],
  ],
  b: [
    ['openssl', '3.0.9', 'apt'],
    ['bash', '5.1', 'apt'],
  ],
  none: [],
} as const;

/** Each inventory comes directly after each other inventory. Some runs are older than the previous run. */
const runs: readonly (readonly [
  minute: number,
  inventory: keyof typeof inventories | undefined,
  environment?: string,
])[] = [
  [1, 'a'],
  [2, 'a'],
  [3, 'b'],
  [4, 'b'],
  [5, 'a'],
  [3, 'b'],
  [6, 'b'],
  [7, undefined],
  [8, 'a'],
  [9, 'none'],
  [10, 'none'],
  [11, 'a'],
  [12, 'a', 'other'],
  [13, 'a', 'other'],
  [14, 'b'],
  [13, 'a'],
  [15, 'b'],
];

async function fill(bench: ProjectionBench): Promise<void> {
  for (const [minute, inventory, environment = 'production'] of runs) {
    for (const certname of ['one', 'two']) {
      const over = {
        producer_timestamp: time(minute),
        environment,
        ...(inventory && { package_inventory: inventories[inventory] }),
      };
      await bench.submit('replace facts', certname, { payload: factset(certname, { minute }, over) });
      const title = `/${inventory ?? 'nothing'}`;
      const payload = catalog(certname, [resource(title)], [], { producer_timestamp: time(minute), environment });
      await bench.submit('replace catalog', certname, { payload });
    }
  }
}

describe.each([true, false])('records in parts, tables with a past: %s', (keepsPast) => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(1, keepsPast);
    await fill(bench);
  });
  afterEach(async () => bench.close());

  it('make the same tables as whole records, in batches of any size', async () => {
    await bench.settle(undefined, { batchRecords: 1 });
    const whole = await bench.dump();
    expect(whole['package_inventory']).toHaveLength(2);
    if (keepsPast) expect(whole['package_inventory_past']!.length).toBeGreaterThan(6);
    for (const batchRecords of [1, 2, 5, 7, 500]) {
      const generation = await bench.newGeneration();
      const until = await bench.log.ends();
      const log = logInParts(bench.log);
      const batches: number[] = [];
      const onBatch = (records: number): void => void batches.push(records);
      await bench.projector({ generation, log, until, batchRecords, onBatch }).run(new AbortController().signal);
      // A batch that fails is applied in smaller ones.
      expect(batches).toHaveLength(Math.ceil((4 * runs.length) / batchRecords));
      expect(await bench.dump(generation)).toEqual(whole);
    }
    expect(bench.deadLetters).toEqual([]);
  });
});

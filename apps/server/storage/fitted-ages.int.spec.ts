/** If the disk is too small, age limits that have their defaults become shorter, and an alert says so. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#config';
import { keepPast } from '#projections';
import { factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { FittedAges } from './fitted-ages';

const day = 86_400_000;

let bench: ProjectionBench;
let dataDir: string;
beforeEach(async () => {
  bench = await ProjectionBench.open();
  dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-ages-'));
  await mkdir(join(dataDir, 'postgres'));
  await keepPast(bench.db, bench.generation, true);
});
afterEach(async () => {
  await bench.close();
  await rm(dataDir, { recursive: true });
});

/** Submits a run that took place `days` days ago. */
async function run(days: number): Promise<void> {
  const receivedAt = Date.now() - days * day;
  const producer_timestamp = new Date(receivedAt).toISOString();
  await bench.submit('replace facts', 'a', { receivedAt, payload: factset('a', { days }, { producer_timestamp }) });
  await bench.submit('store report', 'a', { receivedAt, payload: report('a', [], { producer_timestamp }) });
  await bench.settle();
}

function agesOn(minFreeDisk: string, isDefault = true): { ages: FittedAges; raised: string[] } {
  const { settings } = readSettings([], { NODELEDGER_DATA_DIR: dataDir, NODELEDGER_MIN_FREE_DISK: minFreeDisk });
  const raised: string[] = [];
  const alerts = {
    raise: (_code: string, { message }: { message: string }): void => void raised.push(message),
    clear: (): void => void raised.splice(0),
  };
  return { ages: new FittedAges(bench.db, settings, alerts, () => isDefault), raised };
}

it('keeps reports and the past as long as they have been kept until then', async () => {
  await run(5);
  await run(1);
  const { ages, raised } = agesOn('1000000000000000');
  expect([ages.limits.reportTtl, ages.limits.history]).toEqual([14 * day, 14 * day]);
  await ages.fit();
  expect(ages.limits.reportTtl / day).toBeCloseTo(5, 1);
  expect(ages.limits.history! / day).toBeLessThan(14);
  expect(raised).toEqual([
    expect.stringMatching(
      /too small for the configured ages. Reports are kept for 5 days instead of 14 days \(NODELEDGER_REPORT_TTL\), and queries can ask for the past for .* instead of 14 days \(NODELEDGER_HISTORY\)\.$/,
    ),
  ]);
});

it('changes nothing on a large disk, and no age that an operator has set', async () => {
  await run(5);
  for (const { ages, raised } of [agesOn('0'), agesOn('1000000000000000', false)]) {
    await ages.fit();
    expect([ages.limits.reportTtl, ages.limits.history]).toEqual([14 * day, 14 * day]);
    expect(raised).toEqual([]);
  }
});

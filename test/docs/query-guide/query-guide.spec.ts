/** Tests that docs/query-guide.md shows the answers of the service about a simulated fleet. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from '#fleet';
import { compileQuery } from '../../../libs/query/compile';
import { parsePql } from '../../../libs/query/pql';
import { ProjectionBench } from '../../support/projection';
import { guidePage } from './guide-page';
import { loadBalancer, loadBalancerRun } from './load-balancer';
import { chapters } from './questions';

const file = join(__dirname, '../../../docs/query-guide.md');
const minute = 60_000;
/** Some machines without notable events, and machines whose second run is noop, corrective or failed. */
const machines = [0, 1, 2, 3, 4, 5, 7, 12, 36, 62, 120, 128];
/** This machine has not reported for hours. */
const silent = 7;
/** The load balancer was copied from this machine. */
const copied = 0;

let bench: ProjectionBench;
const answers = new Map<string, string[]>();

beforeAll(async () => {
  bench = await ProjectionBench.open();
  const fleet = new Fleet('guide', 'compact');
  for (const index of machines) {
    // Runs are half an hour apart and begin up to 26 minutes late, so the second runs are within the last hour.
    const startTime = new Date(Date.now() - (index === silent ? 5 * 60 : 80) * minute);
    for (let run = 0; run < (index === silent ? 1 : 2); run++) {
      const { facts, catalog, report } = fleet.run(index, run, { startTime });
      for (const { command, version, certname, producerTimestamp, text } of [facts, catalog, report])
        await bench.submit(command, certname, { version, payload: text, receivedAt: Date.parse(producerTimestamp) });
    }
  }
  const { values } = JSON.parse(fleet.run(copied, 0, { startTime: new Date() }).facts.text) as {
    values: Record<string, unknown>;
  };
  const { serialnumber, ipaddress, rack } = values;
  for (const [command, payload] of loadBalancerRun(new Date(Date.now() - 30 * minute), {
    serialnumber,
    ipaddress,
    rack,
  }))
    await bench.submit(command, loadBalancer, { payload });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
}, 240_000);
afterAll(() => bench.close());

it.each(chapters.flatMap(({ questions }) => questions.map(({ question, pql }) => [question, pql])))(
  '%s',
  async (question, pql) => {
    const target = { schema: bench.generation.schema, edition: 'full', dialect: 'neutral' } as const;
    const { rows } = compileQuery({ ast: parsePql(pql), pql }, target);
    const found = await bench.db.query<{ row: string }>(rows);
    answers.set(
      question,
      found.map(({ row }) => row),
    );
    expect(found.length).toBeGreaterThan(0);
  },
);

it('docs/query-guide.md has these answers (NODELEDGER_WRITE_PAGES=1 writes it)', () => {
  const page = guidePage(answers);
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});

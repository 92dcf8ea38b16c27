/**
 * Measures how long questions about changes take in a large fleet. NODELEDGER_CHANGES_NODES (40), _MODELS (20) and
 * _RUNS (3) set the size of the fleet. NODELEDGER_CHANGES_TIMES=1 prints the times.
 */
import { measureProcessor } from '../../test/support/processor-time';
import { type ChangesBench, openChangesBench } from './testing/changes-bench';
import { fillChangedFleet } from './testing/changed-fleet';

const setting = (name: string, fallback: number): number =>
  Number(process.env[`NODELEDGER_CHANGES_${name}`] ?? fallback);
const printsTimes = process.env['NODELEDGER_CHANGES_TIMES'] === '1';
/** Number of measurements. A test of a time limit needs few, and a figure for the documentation needs more. */
const repeats = printsTimes ? 9 : 3;

let bench: ChangesBench;
let certnames: readonly string[];
beforeAll(async () => {
  bench = await openChangesBench();
  const size = { nodes: setting('NODES', 40), models: setting('MODELS', 20), runs: setting('RUNS', 3) };
  certnames = await fillChangedFleet(bench, size);
}, 3_600_000);
afterAll(() => bench.close());

const hourAgo = new Date(Date.now() - 5_400_000).toISOString();

const cases: readonly [string, string, (a: string, b: string) => Record<string, unknown>][] = [
  ['timeline of a node', 'timeline', (certname) => ({ certname })],
  ['timeline of a node, 200 entries', 'timeline', (certname) => ({ certname, limit: '200' })],
  ["the fleet's last hour", 'timeline', () => ({ from: hourAgo })],
  ["the fleet's last hour, 200 entries", 'timeline', () => ({ from: hourAgo, limit: '200' })],
  ['failed runs', 'timeline', () => ({ kind: 'report', status: 'failed' })],
  ['a value of a node', 'timeline', (certname) => ({ certname, path: 'os.release.full' })],
  ['a value in the fleet', 'timeline', () => ({ path: 'os.release.full' })],
  ['a package of a node', 'timeline', (certname) => ({ certname, package: 'openssl' })],
  ['a package in the fleet', 'timeline', () => ({ package: 'openssl' })],
  ['two nodes', 'diff', (a, b) => ({ a, b })],
  ['a node and its past', 'diff', (a) => ({ a: `${a}@1h ago` })],
  ['drift by role', 'drift', () => ({ by: 'role' })],
  ['drift of facts', 'drift', () => ({ by: 'role', part: 'facts' })],
  ['drift of resources', 'drift', () => ({ by: 'role', part: 'resources' })],
  ['drift of packages', 'drift', () => ({ by: 'role', part: 'packages' })],
];

it.each(cases)(
  '%s',
  async (name, path, parametersOf) => {
    const times: number[] = [];
    let size = 0;
    let measured: Awaited<ReturnType<typeof measureProcessor>> | undefined;
    for (let at = 0; at <= repeats; at++) {
      // The first request opens the connection and makes the plans. So the processor time is measured after it.
      if (at === 1) measured = await measureProcessor({ rows: (text) => bench.projection.rows(text) });
      const [a, b] = [certnames[at % certnames.length]!, certnames[(at + 7) % certnames.length]!];
      const started = performance.now();
      size = JSON.stringify(await bench.json(path, parametersOf(a, b))).length;
      times.push(performance.now() - started);
    }
    const [first] = times;
    const used = measured!();
    times.splice(0, 1);
    times.sort((one, other) => one - other);
    const [least, median] = [times[0], times[times.length >> 1]];
    if (printsTimes)
      process.stderr.write(
        `${name.padEnd(36)} ${[first!, least!, median!, used.database / repeats, used.service / repeats].map((ms) => ms.toFixed(1).padStart(8)).join(' ')} ms (first, least, median; processor time of PostgreSQL and of this process), ${size} characters\n`,
      );
    // The limit is generous, because other processes share the machine with the tests.
    expect(median).toBeLessThan(10_000);
  },
  300_000,
);

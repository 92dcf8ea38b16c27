/**
 * Measures how long each endpoint takes in a large fleet. NODELEDGER_CONSOLE_NODES (40) and NODELEDGER_CONSOLE_HOURS
 * (2) set the size of the fleet. NODELEDGER_CONSOLE_TIMES=1 prints the times.
 */
import { measureProcessor } from '../../test/support/processor-time';
import { type ConsoleBench, openConsoleBench } from './testing/console-bench';
import { fillLargeFleet } from './testing/large-fleet';

const nodes = Number(process.env['NODELEDGER_CONSOLE_NODES'] ?? 40);
const hours = Number(process.env['NODELEDGER_CONSOLE_HOURS'] ?? 2);
const printsTimes = process.env['NODELEDGER_CONSOLE_TIMES'] === '1';
/** Number of measurements. A test of a time limit needs few, and a figure for the documentation needs more. */
const repeats = printsTimes ? 9 : 3;

let bench: ConsoleBench;
beforeAll(async () => {
  bench = await openConsoleBench();
  await fillLargeFleet(bench, nodes, hours);
}, 1_800_000);
afterAll(() => bench.close());

const cases: readonly [string, string, Record<string, unknown>][] = [
  ['summary', 'summary', {}],
  ['facets of 3 fields', 'facets', { fields: ['status', 'environment', 'fact:os.name'] }],
  [
    'facets of 5 fields, filtered',
    'facets',
    {
      fields: ['status', 'environment', 'fact:os.name', 'fact:role', 'fact:os.release.full'],
      where: { status: ['failed', 'changed'], 'fact:os.name': ['Debian'] },
    },
  ],
  ['100 nodes by status', 'node-list', { order: '-status', facts: ['role', 'os.name'] }],
  ['100 nodes by name', 'node-list', { facts: ['role', 'os.name'] }],
  ['100 nodes by a fact', 'node-list', { order: 'fact:role', facts: ['role', 'os.name'] }],
  ['100 nodes with a text', 'node-list', { order: '-status', text: '00' }],
  ['100 nodes, filtered', 'node-list', { where: { status: ['unchanged'], 'fact:os.name': ['Debian'] } }],
  ['100 nodes by a query', 'node-list', { query: ['=', ['fact', 'os.name'], 'Debian'] }],
  ['1,000 nodes by status', 'node-list', { order: '-status', facts: ['role', 'os.name'], limit: 1_000 }],
  ['a fact', 'fact-distribution', { path: 'os.release.full' }],
  ['a fact with many values', 'fact-distribution', { path: 'networking.ip' }],
  ['a package', 'package-versions', { name: 'openssl' }],
  ['search for a node', 'search', { q: '0050' }],
  ['search for a short text', 'search', { q: 'os' }],
  ['search for a value', 'search', { q: 'role=web' }],
  ['runs of a day', 'runs', { window: '24h' }],
  ['runs of two weeks', 'runs', { window: '14d', step: '12h' }],
  ['failures', 'failures', {}],
];

it.each(cases)(
  '%s',
  async (name, path, parameters) => {
    const times: number[] = [];
    // The first request opens the connection, so the PostgreSQL process to measure is known only afterwards.
    const opened = performance.now();
    await bench.json(path, parameters);
    const first = performance.now() - opened;
    const { projection } = bench;
    const measured = await measureProcessor({ rows: (text) => projection.rows(text) });
    for (let at = 0; at < repeats; at++) {
      // Each request has a different duration, so that no answer comes from the cache.
      const own = path === 'runs' ? {} : { unreported_after: `${120 + at}m` };
      const start = performance.now();
      await bench.json(path, { ...parameters, ...own });
      times.push(performance.now() - start);
    }
    const used = measured();
    const [database, service] = [used.database / repeats, used.service / repeats];
    times.sort((one, other) => one - other);
    const median = times[times.length >> 1]!;
    if (printsTimes)
      process.stderr.write(
        `${name.padEnd(30)} ${[first, times[0]!, median, database, service].map((ms) => ms.toFixed(1).padStart(8)).join(' ')} ms (first, least, median; processor time of PostgreSQL and of this process)\n`,
      );
    // The limit is generous, because other processes share the machine with the tests.
    expect(median).toBeLessThan(1_000);
  },
  300_000,
);

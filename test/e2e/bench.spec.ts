/** Tests `npm run bench` with five nodes: the files that it writes, and that it does not repeat a measurement. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';
import { ownEnvironment } from './own-environment';
import { temporaryDataDir } from './service';
import { runTool } from './verb';

const script = join(__dirname, '../load/bench.mjs');
const dist = join(dirname(builtProgram('cli')), '../..');
const quick = [
  ...['--nodes', '5', '--warm', '1', '--steady', '1', '--settle', '1.5', '--query-settle', '0'],
  ...['--rounds', '3', '--query-seconds', '1'],
  ...['--rate', '20', '--seconds', '1', '--latency-nodes', '5', '--samples', '3'],
];

interface Query {
  readonly query: string;
  readonly p50?: number;
  readonly p95?: number;
  readonly bytes?: number;
  readonly rows?: number;
  readonly error?: string;
}

interface Measurement {
  readonly failed: object;
  readonly load: readonly {
    readonly phase: string;
    readonly commands: number;
    readonly failures: number;
    readonly rowsStored?: number;
  }[];
  readonly queries: readonly Query[];
  readonly sql: readonly { readonly query: string; readonly p50?: number }[];
  readonly copy: { readonly rows: number; readonly seconds: number };
  readonly disk: { readonly readTables: number; readonly log: number; readonly wal: number; readonly database: number };
  readonly latency: {
    readonly acknowledged: readonly { readonly failures: number; readonly waited: { readonly p99: number } }[];
    readonly visible: { readonly samples: number; readonly p50: number };
  };
}

let out: string;
beforeAll(async () => {
  out = await temporaryDataDir();
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const bench = (...flags: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [script, '--out', out, '--dist', dist, ...flags], {
    env: ownEnvironment({}),
  });
const read = (name: string): string => readFileSync(join(out, name), 'utf8');
const measurement = (size = '5-nodes'): Measurement => JSON.parse(read(`nodeledger-${size}.json`)) as Measurement;

it('measures all parts of a side', async () => {
  await bench('--ours', '--parts', 'copy,disk,queries,sql,latency', ...quick);
  const { failed, load, queries, sql, copy, disk, latency } = measurement();
  expect(failed).toEqual({});
  expect(load.map(({ phase, commands, failures }) => [phase, commands, failures])).toEqual([
    ['first load', 15, 0],
    ['steady 1', 15, 0],
  ]);
  expect(queries).toHaveLength(37);
  expect(queries.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(queries.filter(({ p50 = 0, p95 = 0, bytes = 0 }) => !(p50 > 0 && p95 >= p50 && bytes > 1))).toEqual([]);
  // Five nodes, and one from the warm-up.
  expect(queries.find(({ query }) => query === 'nodes: all')?.rows).toBe(6);
  expect(queries.find(({ query }) => query === 'events: of a report')?.rows).toBeGreaterThan(0);
  expect(sql.map(({ query }) => query)).toEqual(queries.map(({ query }) => query));
  expect(sql.filter(({ p50 = 0 }) => !(p50 > 0))).toEqual([]);
  expect(load[0]?.rowsStored).toBeGreaterThan(5_000);
  expect(copy.rows).toBeGreaterThan(load[0]?.rowsStored ?? Infinity);
  expect(copy.seconds).toBeGreaterThan(0);
  expect(Math.min(disk.readTables, disk.log, disk.wal)).toBeGreaterThan(100_000);
  expect(disk.database).toBeGreaterThan(disk.readTables + disk.log);
  expect(latency.acknowledged.map(({ failures }) => failures)).toEqual([0]);
  expect(latency.acknowledged[0]?.waited.p99).toBeGreaterThan(0);
  expect(latency.visible).toMatchObject({ samples: 3, p50: expect.any(Number) as number });
}, 120_000);

it('writes a report with a row for each measure and query', () => {
  const markdown = read('report.md');
  for (const { query } of measurement().queries) expect(markdown).toContain(`| ${query} |`);
  expect(markdown).toMatch(
    /\| first load: commands\/s until queries show them \| [\d.]+ \| [\d.]+ \([\d.]+ % of it reached\) \|/,
  );
  expect(markdown).toMatch(
    /\| memory of the service, highest of all \| \d+ MB \| .*≤ 256 MB \| (met|short: [\d.]+ × off) \|/,
  );
  expect(markdown).not.toMatch(/NaN|undefined|Infinity/);
  const report = JSON.parse(read('report.json')) as { sizes: { figures: unknown[] }[] };
  expect(report.sizes.map(({ figures }) => figures.length > 20)).toEqual([true]);
});

it('draws a bar for each query', () => {
  const svg = read('report.svg');
  expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[^]*<\/svg>\n$/);
  expect(svg.match(/<rect class="s0" [^>]*width="[\d.]+" height="8"/g)).toHaveLength(37);
  for (const { query } of measurement().queries) expect(svg).toContain(`>${query}</text>`);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

it('does not measure again what is finished, and removes its documents', async () => {
  const before = statSync(join(out, 'nodeledger-5-nodes.json')).mtimeMs;
  const { stderr } = await bench('--ours', '--parts', 'copy,disk,queries,sql,latency', ...quick);
  expect(stderr).toContain('it is not measured again');
  expect(statSync(join(out, 'nodeledger-5-nodes.json')).mtimeMs).toBe(before);
  expect(readdirSync(out).filter((name) => name.startsWith('documents'))).toEqual([]);
});

it('takes a folder of documents, compressed or not', async () => {
  const documents = join(out, 'samples');
  const fleet = ['fleet', '--nodes', '2', '--seed', 'samples', '--out', documents];
  for (const flags of [
    ['--runs', '1'],
    ['--first-run', '1', '--runs', '1', '--gzip'],
  ])
    expect(await runTool([...fleet, ...flags], out)).toMatchObject({ code: 0 });
  await bench('--ours', '--documents', documents, '--parts', '', '--warm', '0', '--settle', '0');
  const files = readdirSync(documents, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.json'));
  expect(measurement('documents').load).toMatchObject([{ phase: 'first load', commands: files.length, failures: 0 }]);
  expect(files.length).toBeGreaterThan(8);
  expect(read('report.md')).toContain('## Documents');
}, 120_000);

/**
 * Runs twenty hostile clients and a well-behaved one on a service with a fleet. The hostile ones stall, disconnect,
 * send slowly, and send bombs, wide queries and poison. The service must keep its memory bounded, answer the
 * well-behaved client, and make dead letters of poisons only. NODELEDGER_HOSTILE_SECONDS: duration (600).
 * NODELEDGER_HOSTILE_SEED: repeats the choices of an earlier run, but not its moments.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';
import { runTool } from '../e2e/verb';
import { Child } from './child';
import { Latency } from './latency';
import { MemoryWatch } from './memory-watch';
import type { GoodOrder, GoodWord, HostileOrder, HostileWord } from './messages';

const seconds = Number(process.env.NODELEDGER_HOSTILE_SECONDS ?? '600');
const seed = Number(process.env.NODELEDGER_HOSTILE_SEED ?? String(Date.now() % 1_000_000));
const quietSeconds = 30;
const fleetNodes = 160;
/** The verb that loads the fleet has a time limit of two minutes. */
const nodesAtOnce = 40;
/** When the hostile clients stop, running status requests and the requests of these clients end within this time. */
const lastSeconds = 60;

/**
 * Memory limit of the service: two heaps of Node.js (queries and intake, projections) of a few hundred megabytes each,
 * a payload of 20 MB in several forms, and answers in chunks of bounded size.
 */
const mostServiceMegabytes = 1_024;
/** Allowed ratio of the p99 with hostile clients to the p99 without them. */
const mostSlower = 10;
const visibleWithinMs = 30_000;
/** Number of slow requests that the figures list. */
const mostShown = 30;

type Poisoned = Extract<HostileWord, { poison: string }>;

/** Measurements by phase and kind. */
class Measures {
  readonly latencies = new Map<string, Latency>();
  readonly failures: string[] = [];
  readonly probes = new Latency();
  readonly failedProbes: string[] = [];
  readonly statuses = new Map<string, number>();
  readonly outcomes = new Map<string, number>();
  readonly poisoned: Poisoned[] = [];

  private readonly slow: { readonly ms: number; readonly text: string }[] = [];
  private readonly begun = new Map<string, number>();

  /** The slowest requests of the hostile phase, sorted by time. */
  slowest(): string[] {
    return this.slow.map(({ text }) => text);
  }

  private hearRequest(phase: string, what: string, ms: number): void {
    const now = performance.now();
    const begun = this.begun.get(phase) ?? now - ms;
    this.begun.set(phase, begun);
    if (phase !== 'hostile') return;
    this.slow.push({ ms, text: `${((now - ms - begun) / 1000).toFixed(1)} s: ${what} ${Math.round(ms)} ms` });
    if (this.slow.length <= mostShown) return;
    const least = Math.min(...this.slow.map((one) => one.ms));
    this.slow.splice(
      this.slow.findIndex((one) => one.ms === least),
      1,
    );
  }

  of(phase: string, kind: string): Latency {
    const key = `${phase} ${kind}`;
    const found = this.latencies.get(key) ?? new Latency();
    this.latencies.set(key, found);
    return found;
  }

  hearGood(word: GoodWord): void {
    if ('status' in word) count(this.statuses, word.status);
    else if ('probed' in word) {
      this.probes.add(word.ms);
      if (word.failure !== undefined) this.failedProbes.push(`partition ${word.probed}: ${word.failure}`);
    } else if ('phase' in word) {
      this.of(word.phase, word.kind).add(word.ms);
      this.hearRequest(word.phase, word.what, word.ms);
      if (word.failure !== undefined) this.failures.push(`${word.phase}: ${word.kind} ${word.what}: ${word.failure}`);
    }
  }

  hearHostile(word: HostileWord): void {
    if ('poison' in word) this.poisoned.push(word);
    else if ('kind' in word) count(this.outcomes, `${word.kind}: ${word.outcome}`);
  }
}

const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

interface Letters {
  readonly total: number;
  readonly letters: readonly { readonly certname: string; readonly command: string; readonly error: string }[];
}

async function allLetters(url: string): Promise<Letters['letters']> {
  const found: Letters['letters'][number][] = [];
  for (;;) {
    const answer = await fetch(`${url}/nodeledger/v1/dead-letters?limit=1000&offset=${found.length}`);
    const { total, letters } = (await answer.json()) as Letters;
    found.push(...letters);
    if (letters.length === 0 || found.length >= total) return found;
  }
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);

const measures = new Measures();
const good = new Child<GoodOrder, GoodWord>('good-client.ts', (word) => {
  if ('ready' in word) goodIsReady();
  else measures.hearGood(word);
});
let goodIsReady = (): void => undefined;
let hostileIsReady = (): void => undefined;
const hostileReady = new Promise<void>((resolve) => (hostileIsReady = resolve));
const hostile = new Child<HostileOrder, HostileWord>('hostile-clients.ts', (word) => {
  if ('ready' in word) hostileIsReady();
  measures.hearHostile(word);
  if ('poison' in word && word.partition !== undefined) good.tell({ probe: word.partition });
});
let service: RunningService;
let dataDir: string;
let memory: MemoryWatch;
let letters: Letters['letters'];

beforeAll(
  async () => {
    dataDir = await temporaryDataDir();
    const env = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0', NODELEDGER_CHECKSUM: 'refuse' };
    service = await startService({ dataDir, env });
    await loadFleet();
    const ready = new Promise<void>((resolve) => (goodIsReady = resolve));
    good.tell({ start: service.url, seed });
    await ready;
    await hostileReady;
    // The first requests fill caches and are compiled, so they count in no phase.
    good.tell({ phase: 'warm' });
    await delay(10_000);
    memory = new MemoryWatch(service.pid, await postmasterOf(dataDir));
    good.tell({ phase: 'quiet' });
    await delay(quietSeconds * 1_000);
    good.tell({ phase: 'hostile' });
    hostile.tell({ start: service.url, seed });
    await delay(seconds * 1_000);
    hostile.tell({ stop: true });
    good.tell({ phase: 'after' });
    await delay(lastSeconds * 1_000);
    memory.stop();
    letters = await allLetters(service.url).catch((error: unknown) => {
      measures.failures.push(`the dead letters: ${String(error)}`);
      return [];
    });
    console.info(figures());
  },
  (seconds + 700) * 1_000,
);
afterAll(async () => {
  memory?.stop();
  await hostile.stop();
  await good.stop();
  await service?.stop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

async function loadFleet(): Promise<void> {
  const flags = ['--nodes', String(nodesAtOnce), '--runs', '2', '--gzip', '--compact', '--concurrency', '4', '--wait'];
  for (let first = 0; first < fleetNodes; first += nodesAtOnce) {
    const fleet = ['fleet', '--url', service.url, '--first-node', String(first), ...flags];
    const { code, stdout, stderr } = await runTool(fleet, dataDir);
    if (code !== 0) throw new Error(`the fleet was not loaded: ${stdout}${stderr}`);
  }
}

function figures(): string {
  const ms = (latency: Latency, share: number): string => `${Math.round(latency.percentile(share))}`.padStart(7);
  const lines = [...measures.latencies].map(
    ([key, latency]) =>
      `${key.padEnd(18)}${String(latency.count).padStart(7)}${[0.5, 0.95, 0.99, 1].map((share) => ms(latency, share)).join('')}`,
  );
  const outcomes = [...measures.outcomes].sort().map(([what, times]) => `  ${what} × ${times}`);
  const fates = new Map<string, number>();
  for (const one of measures.poisoned) count(fates, `${one.poison}: ${fateOf(one)}`);
  return [
    `hostile clients for ${seconds} s, seed ${seed}`,
    `${'milliseconds'.padEnd(18)}${['count', 'p50', 'p95', 'p99', 'most'].map((name) => name.padStart(7)).join('')}`,
    ...lines,
    'the slowest requests of the client that behaves, by the second in which they were due:',
    ...measures.slowest().map((text) => `  ${text}`),
    `visible behind a poison: ${measures.probes.count} times, p50 ${ms(measures.probes, 0.5).trim()} ms, most ${ms(measures.probes, 1).trim()} ms`,
    `service: at most ${Math.round(memory.service)} MB resident (every 10 s: ${memory.course.join(' ')})`,
    `its PostgreSQL: at most ${Math.round(memory.postgres)} MB of its own and ${Math.round(memory.postgresShared)} MB shared`,
    `status: ${[...measures.statuses].map(([status, times]) => `${status} × ${times}`).join(', ')}`,
    'what the hostile clients saw:',
    ...outcomes,
    'what became of the poison:',
    ...[...fates].sort().map(([what, times]) => `  ${what} × ${times}`),
  ].join('\n');
}

/** The outcome of a poison: `refused 400`, `letter`, `rows` or `cut off`. */
function fateOf({ certname, status }: Poisoned): string {
  if (status === 0) return 'cut off';
  if (status !== 200) return `refused ${status}`;
  return letters.some((letter) => letter.certname === certname) ? 'letter' : 'rows';
}

/** The first of many failures. */
const shortened = (texts: readonly string[]): string[] =>
  texts.length <= 20 ? [...texts] : [...texts.slice(0, 20), `and ${texts.length - 20} more`];

const p99 = (phase: string, kind: string): number => measures.of(phase, kind).percentile(0.99);

test('the memory of the service stays bounded', () => {
  expect(memory.gone).toBe(0);
  expect(memory.service).toBeLessThan(mostServiceMegabytes);
});

test('no request of the client that behaves fails', () => {
  expect(shortened(measures.failures)).toEqual([]);
  expect(measures.of('hostile', 'command').count).toBeGreaterThan(seconds * 4);
  expect(measures.of('hostile', 'query').count).toBeGreaterThan(seconds * 8);
});

test.each(['command', 'query'])(`its p99 of a %s stays within ${mostSlower} times that of quiet times`, (kind) => {
  expect(p99('hostile', kind)).toBeLessThan(mostSlower * p99('quiet', kind));
});

test('every poison is refused or a dead letter, and nothing else is', () => {
  const wrong = measures.poisoned.filter((one) => {
    const fate = fateOf(one);
    // A client whose body is too large may only see that the connection ends.
    if (one.expected === 'refused') return !/^refused 4|^cut off/.test(fate);
    return one.expected === 'letter' ? fate !== 'letter' : !/^(letter|rows|refused 413|cut off)/.test(fate);
  });
  expect(wrong.map((one) => `${one.poison} (${one.certname}): ${fateOf(one)} ${one.text}`)).toEqual([]);
  expect(measures.poisoned.length).toBeGreaterThan(seconds / 6);
  const poisonous = new Set(measures.poisoned.map(({ certname }) => certname));
  expect(letters.filter(({ certname }) => !poisonous.has(certname))).toEqual([]);
});

test('healthy commands behind poison are visible within 30 s', () => {
  expect(shortened(measures.failedProbes)).toEqual([]);
  expect(measures.probes.count).toBe(measures.poisoned.filter(({ partition }) => partition !== undefined).length);
  expect(measures.probes.percentile(1)).toBeLessThan(visibleWithinMs);
});

test('it runs throughout and says so, and its log has no stack traces', () => {
  expect([...measures.statuses.keys()]).toEqual(['running']);
  expect(memory.gone).toBe(0);
  const traces = service
    .output()
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line) || line.includes('"stack"'));
  expect(traces.slice(0, 20)).toEqual([]);
});

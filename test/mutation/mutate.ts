/**
 * `npm run test:mutation` makes small changes in a copy of the sources, one at a time, and runs the specs of the
 * changed source. A mutation is caught if a spec fails or hangs. Prints the mutations that no spec caught.
 */
import { parseArgs } from 'node:util';
import { Database } from '#database';
import { Seeded } from '../chaos/seeded';
import globalSetup from '../support/global-setup';
import { equivalents } from './equivalent';
import { mutated, mutationsOf, type Mutation } from './mutations';
import { runSpecs } from './run-specs';
import { targets, type Target } from './targets';
import { WorkingCopy } from './working-copy';

interface Candidate {
  readonly target: Target;
  readonly mutation: Mutation;
}

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '100' },
    /** Selects mutations whose description matches this expression: a path, a line (`fold.ts:46:`) or the change. */
    only: { type: 'string', default: '' },
    /** Only prints the selected mutations. */
    list: { type: 'boolean', default: false },
  },
});

const isEquivalent = ({ target, mutation }: Candidate): boolean =>
  equivalents.some(
    ({ source, line, what }) => source === target.source && line === mutation.lineText && what === mutation.what,
  );

const described = ({ target, mutation: { line, lineText, what } }: Candidate): string =>
  `${target.source}:${line}: ${what}\n      ${lineText}`;

/** The mutations of this seed. A new entry of `equivalents` does not change the order of the others. */
function drawn(copy: WorkingCopy, seed: number, count: number): { chosen: Candidate[]; leftOut: number } {
  const only = new RegExp(options.only);
  const all = targets
    .flatMap((target) => mutationsOf(target.source, copy.read(target.source)).map((mutation) => ({ target, mutation })))
    .filter((candidate) => only.test(described(candidate)));
  const shuffled = new Seeded(seed).shuffled(all);
  const able = shuffled.filter((candidate) => !isEquivalent(candidate));
  return { chosen: able.slice(0, count), leftOut: all.length - able.length };
}

/**
 * Returns the duration of each spec without a mutation. The specs must pass then. Each runs once, when it is first
 * needed.
 */
class Unchanged {
  private readonly secondsOf = new Map<string, number>();

  constructor(
    private readonly copy: WorkingCopy,
    private readonly env: Readonly<Record<string, string>>,
    private readonly signal: AbortSignal,
  ) {}

  async seconds({ specs }: Target): Promise<number> {
    const unknown = specs.filter((spec) => !this.secondsOf.has(spec));
    if (unknown.length > 0) {
      const run = await runSpecs(this.copy.folder, unknown, 3_600_000, this.env, this.signal);
      this.signal.throwIfAborted();
      if (run.end !== 'passed') throw new Error(`a spec fails with nothing changed:\n${run.output}`);
      for (const [spec, seconds] of run.secondsOf) {
        this.secondsOf.set(spec, seconds);
        console.log(`${spec}: ${seconds.toFixed(1)} s`);
      }
    }
    return specs.reduce((sum, spec) => sum + (this.secondsOf.get(spec) as number), 0);
  }
}

/** A run that fails or hangs leaves its databases. */
async function dropDatabases(server: string): Promise<void> {
  const db = new Database({ connectionString: server, max: 1 });
  try {
    const left = await db.query<{ name: string }>({
      text: `SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'`,
      values: [],
    });
    for (const { name } of left) await db.query({ text: `DROP DATABASE "${name}" WITH (FORCE)`, values: [] });
  } finally {
    await db.close();
  }
}

async function main(signal: AbortSignal): Promise<void> {
  const [seed, count] = [Number(options.seed), Number(options.count)];
  const copy = new WorkingCopy();
  try {
    const { chosen, leftOut } = drawn(copy, seed, count);
    console.log(
      `seed ${seed}: ${chosen.length} mutations; ${leftOut} that change nothing are left out (equivalent.ts)`,
    );
    if (options.list) {
      for (const candidate of chosen) console.log(`  ${described(candidate)}`);
      return;
    }
    await globalSetup();
    const desk = process.env.NODELEDGER_TEST_DESK as string;
    // One PostgreSQL for all runs.
    const server = await (await fetch(desk)).text();
    const env = { TEST_DATABASE_URL: server };
    const unchanged = new Unchanged(copy, env, signal);
    const survivors: Candidate[] = [];
    for (const [index, candidate] of chosen.entries()) {
      const { target, mutation } = candidate;
      const limitMs = 60_000 + 3_000 * (await unchanged.seconds(target));
      const text = copy.read(target.source);
      copy.write(target.source, mutated(text, mutation));
      const run = await runSpecs(copy.folder, target.specs, limitMs, env, signal);
      copy.write(target.source, text);
      signal.throwIfAborted();
      if (run.end !== 'passed') await dropDatabases(server);
      const outcome = run.end === 'passed' ? 'SURVIVED' : run.end === 'hung' ? 'caught (hung)' : 'caught';
      if (run.end === 'passed') survivors.push(candidate);
      console.log(`${index + 1}/${chosen.length} ${outcome} in ${run.seconds.toFixed(1)} s: ${described(candidate)}`);
      if (run.failure !== undefined) console.log(`      failed: ${run.failure}`);
    }
    const caught = chosen.length - survivors.length;
    console.log(
      `\nseed ${seed}: ${caught} of ${chosen.length} caught (${((100 * caught) / chosen.length).toFixed(1)} %)`,
    );
    for (const survivor of survivors) console.log(`  survived: ${described(survivor)}`);
  } finally {
    copy.remove();
    await (globalThis as { stopTestServers?: () => Promise<void> }).stopTestServers?.();
  }
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(`ended by ${name}`)));
main(stop.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

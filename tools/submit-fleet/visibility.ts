import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_INTERVAL_MS, fleetDomain } from '#fleet';
import type { FleetPlan } from './drive';
import type { ServerLink } from './server-link';

export interface Expected {
  /** Number of machines whose facts of the last run were accepted. */
  readonly factsets: number;
  readonly catalogs: number;
  readonly reports: number;
}

const POLL_MS = 100;
/**
 * The interval between polls grows with the time waited so far, so that polling adds little load while a large fleet is
 * loaded.
 */
const POLL_SHARE = 0.01;

/**
 * Waits until queries show the facts and the catalog of each node's last run, and the reports of all its runs. Counts
 * documents by their producer timestamp, with queries that every server with PuppetDB's interface can answer. Throws if
 * the counts have not grown for `stallSeconds`.
 */
export async function untilVisible(
  link: ServerLink,
  seed: string,
  plan: FleetPlan,
  expected: Expected,
  options: { readonly stallSeconds: number },
): Promise<void> {
  const start = plan.startTime.getTime();
  const since = (run: number): string => new Date(start + run * RUN_INTERVAL_MS).toISOString();
  const end = plan.firstRun + plan.runs;
  const ours = ['~', 'certname', `\\.${fleetDomain(seed).replaceAll('.', '\\.')}$`];
  const within = (from: number): unknown => [
    'and',
    ours,
    ['>=', 'producer_timestamp', since(from)],
    ['<', 'producer_timestamp', since(end)],
  ];
  const questions = [
    { entity: 'factsets', query: within(end - 1), wanted: expected.factsets },
    { entity: 'catalogs', query: within(end - 1), wanted: expected.catalogs },
    { entity: 'reports', query: within(plan.firstRun), wanted: expected.reports },
  ];
  for (const { entity, query, wanted } of questions)
    await untilCounted(entity, wanted, options.stallSeconds, () => countOf(link, entity, query));
}

/** Throws if the count has not grown for `stallSeconds`. */
export async function untilCounted(
  what: string,
  wanted: number,
  stallSeconds: number,
  count: () => Promise<number>,
): Promise<void> {
  const began = performance.now();
  let seen = -1;
  let movedAt = began;
  for (;;) {
    const now = await count();
    if (now >= wanted) return;
    if (now !== seen) movedAt = performance.now();
    seen = now;
    if (performance.now() - movedAt > stallSeconds * 1000) {
      throw new Error(`${now} of ${wanted} ${what} are visible, and no more for ${stallSeconds} s`);
    }
    await sleep(Math.max(POLL_MS, POLL_SHARE * (performance.now() - began)));
  }
}

async function countOf(link: ServerLink, entity: string, query: unknown): Promise<number> {
  const rows = (await link.ask(entity, ['extract', [['function', 'count']], query])) as { count?: unknown }[];
  const count = rows[0]?.count;
  if (typeof count !== 'number') throw new Error(`the server returned no count of ${entity}: ${JSON.stringify(rows)}`);
  return count;
}

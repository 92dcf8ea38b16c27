import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '#config';
import { Database, EmbeddedPostgres } from '#database';
import { Fleet, type FleetDocument, type FleetNode, type NodeRun, RUN_INTERVAL_MS, type RunOutcome } from '#fleet';
import type { CommandLog, NewRecord } from '#log';
import { openCommandLog } from '../../apps/server/open-log';
import { documentsOf, type FleetPlan } from '../submit-fleet/drive';
import { ProgressDisplay } from '../../apps/cli/maintenance/progress-display';
import { encodeCommand, ServerLink } from '../submit-fleet/server-link';
import { messageOf } from '../submit-fleet/submit-plan';
import { untilVisible } from '../submit-fleet/visibility';

const seed = 'demo';
const hour = 3_600_000;

/** Ages of the runs 0, 1, 2 and so on when the demo begins. All machines of the fleet run within half an hour. */
const historyAges = [48, 24, 6, 3, 2, 1.5, 1, 0.5].map((hours) => hours * hour);
/** The run of two hours ago. */
const failsFrom = 4;

/**
 * From the run of six hours ago, a few machines of the largest role have older software than the other machines of this
 * role.
 */
const driftsFrom = 2;
const driftShare = 0.2;
const older: readonly (readonly [text: string, olderText: string])[] = [
  ['"engine":"containerd"', '"engine":"docker"'],
  ['"version":"1.7.20"', '"version":"1.6.9"'],
  ['"agent":"13.0.1"', '"agent":"12.4.0"'],
];

/** Milliseconds. The runs of one machine would overlap if they were closer than `leastCycleMs`. */
const paceMs = 2_000;
const leastCycleMs = 90_000;

/**
 * Longest time that one run takes. Each run is dated back by this time, so that its report does not end in the future.
 */
const runMs = 80_000;
const summaryMs = 60_000;
/** Seconds without progress after which the demo stops waiting. */
const stallSeconds = 120;

const kindOf: Readonly<Record<RunOutcome, 'changed' | 'failed' | 'unchanged'>> = {
  first: 'changed',
  changed: 'changed',
  corrected: 'changed',
  failed: 'failed',
  broken: 'failed',
  uncompiled: 'failed',
  noop: 'unchanged',
  quiet: 'unchanged',
  chatty: 'unchanged',
};

const countOf = { 'replace facts': 'factsets', 'replace catalog': 'catalogs', 'store report': 'reports' } as const;

async function withLog(dataDir: string, work: (log: CommandLog) => Promise<void>): Promise<void> {
  const server = await EmbeddedPostgres.running(dataDir);
  if (server === undefined) throw new Error(`no service runs in ${dataDir}`);
  const { settings } = readSettings(['--config', devNull], {});
  const db = new Database({
    connectionString: server.connectionString,
    max: 4,
    applicationName: 'nodeledger demo',
  });
  try {
    const log = await openCommandLog(settings, db);
    try {
      await log.open();
      await work(log);
    } finally {
      await log.close();
    }
  } finally {
    await db.close();
  }
}

export class DemoFleet {
  private readonly fleet = new Fleet(seed, 'compact', failsFrom);
  private readonly link: ServerLink;
  private readonly created = new Date();
  private receivedAt = 0;
  private readonly drifting: ReadonlySet<number>;

  constructor(
    url: string,
    private readonly nodes: number,
  ) {
    this.link = new ServerLink({ url }, { connections: 4 });
    const machines = Array.from({ length: nodes }, (_, index) => this.fleet.node(index));
    const roles = [...new Set(machines.map(({ role }) => role.name))];
    const inRole = (name: string): FleetNode[] => machines.filter(({ role }) => role.name === name);
    const largest = roles.map(inRole).reduce((one, other) => (other.length > one.length ? other : one), []);
    const healthy = largest.filter(({ trouble }) => trouble === undefined);
    this.drifting = new Set(
      healthy.slice(0, Math.max(1, Math.floor(largest.length * driftShare))).map(({ index }) => index),
    );
  }

  /**
   * Writes the history to the log, because a submitted command would get the current time. Waits until queries show the
   * history.
   */
  async writeHistory(dataDir: string, stopping: AbortSignal): Promise<void> {
    const plans = historyAges.map((age, run): FleetPlan => {
      const startTime = new Date(this.created.getTime() - age - run * RUN_INTERVAL_MS);
      return { firstNode: 0, nodes: this.nodes, firstRun: run, runs: 1, startTime, concurrency: 1 };
    });
    const last = plans.at(-1)!;
    const total = plans.reduce((sum, plan) => sum + documentsOf(this.fleet, plan), 0);
    const written = { factsets: 0, catalogs: 0, reports: 0 };
    const progress = new ProgressDisplay();
    let done = 0;
    try {
      await withLog(dataDir, async (log) => {
        for (const plan of plans) {
          for (const index of this.inOrderOfRuns()) {
            const { sent } = this.run(index, plan.firstRun, plan.startTime);
            await Promise.all(sent.map((document) => log.append(this.recordOf(document))));
            stopping.throwIfAborted();
            done += sent.length;
            progress.show({ step: 'write', done, total, unit: 'documents' });
            if (plan === last) for (const { command } of sent) written[countOf[command]]++;
          }
        }
      });
      await untilVisible(this.link, seed, last, written, { stallSeconds });
    } finally {
      progress.end();
    }
  }

  private run(index: number, run: number, startTime: Date): NodeRun {
    const made = this.fleet.run(index, run, { startTime });
    if (run < driftsFrom || !this.drifting.has(index)) return made;
    const drifted = (document: FleetDocument): FleetDocument =>
      document.command === 'replace facts'
        ? { ...document, text: older.reduce((text, [now, then]) => text.replace(now, then), document.text) }
        : document;
    return { ...made, sent: made.sent.map(drifted) };
  }

  private inOrderOfRuns(): number[] {
    const splayOf = (index: number): number => this.fleet.node(index).splayMs;
    return Array.from({ length: this.nodes }, (_, index) => index).sort((one, other) => splayOf(one) - splayOf(other));
  }

  private recordOf({ command, version, certname, producerTimestamp, text }: FleetDocument): NewRecord {
    // Each record gets a later time than the record before, as in a real log. The producer timestamps alone do not
    // ensure this, because the clocks of some machines are wrong.
    this.receivedAt = Math.max(this.receivedAt + 1, Date.parse(producerTimestamp));
    return {
      uuid: randomUUID(),
      command,
      version,
      certname,
      receivedAt: this.receivedAt,
      encoding: 'identity',
      payload: Buffer.from(text),
      headers: { 'producer-timestamp': producerTimestamp },
    };
  }

  /** Submits runs until `stopping` aborts. Calls `printLine` with a summary every minute. */
  async submitLive(stopping: AbortSignal, printLine: (line: string) => void): Promise<void> {
    const cycleMs = Math.max(leastCycleMs, this.nodes * paceMs);
    const counts = { changed: 0, failed: 0, unchanged: 0 };
    let summarizedAt = Date.now();
    let isRefused = false;
    for (;;) {
      await delay(cycleMs / this.nodes, undefined, { signal: stopping });
      // Calculates run and machine from the clock, so that the demo skips the runs of a time in which the computer was
      // suspended.
      const cycle = (Date.now() - this.created.getTime()) / cycleMs;
      const run = historyAges.length + Math.floor(cycle);
      const node = this.fleet.node(Math.floor((cycle % 1) * this.nodes));
      const startTime = new Date(Date.now() - run * RUN_INTERVAL_MS - node.splayMs - runMs);
      const { sent, outcome } = this.run(node.index, run, startTime);
      try {
        for (const document of sent) await this.link.submit(await encodeCommand(document, { gzip: false }));
        if (sent.length > 0) counts[kindOf[outcome]]++;
        isRefused = false;
      } catch (error) {
        if (!isRefused && !stopping.aborted)
          printLine(`a run of ${node.certname} was not accepted: ${messageOf(error)}`);
        isRefused = true;
      }
      if (Date.now() - summarizedAt < summaryMs) continue;
      summarizedAt = Date.now();
      const { changed, failed, unchanged } = counts;
      printLine(
        `in the last minute: ${changed + failed + unchanged} runs, of which ${changed} changed something and ${failed} failed`,
      );
      Object.assign(counts, { changed: 0, failed: 0, unchanged: 0 });
    }
  }

  close(): void {
    this.link.close();
  }
}

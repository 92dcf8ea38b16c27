/**
 * Submits the commands of the demo: some runs of each node during the last two days, then a new run every few seconds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Fleet, RUN_INTERVAL_MS, type RunOutcome } from '#fleet';
import { documentsOf, type FleetPlan } from '../submit-fleet/drive';
import { ProgressDisplay } from '../../apps/cli/maintenance/progress-display';
import { encodeCommand, ServerLink } from '../submit-fleet/server-link';
import { messageOf, submitPlan } from '../submit-fleet/submit-plan';
import { untilVisible } from '../submit-fleet/visibility';

const seed = 'demo';
const hour = 3_600_000;

/**
 * Age of each run in the history when the demo begins: runs 0, 1, 2 and so on. A run of the fleet takes up to half an
 * hour.
 */
const historyAges = [48, 24, 6, 3, 2, 1.5, 1, 0.5].map((hours) => hours * hour);

/**
 * Shortest times between two runs of the fleet, and between two runs of one machine. Two runs of one machine would
 * overlap if they were closer.
 */
const paceMs = 2_000;
const leastCycleMs = 90_000;

/** Longest time from the planned start of a run, without the machine's splay, to the end of its report. */
const runMs = 80_000;
const summaryMs = 60_000;
/** Seconds without progress after which the demo stops waiting for queries to show its documents. */
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

export class DemoFleet {
  private readonly fleet = new Fleet(seed, 'compact');
  private readonly link: ServerLink;
  private readonly created = new Date();

  constructor(
    url: string,
    private readonly nodes: number,
  ) {
    this.link = new ServerLink({ url }, { connections: 4 });
  }

  /** Submits the history, and waits until queries show it. Rejects at the first command that the service refuses. */
  async submitHistory(stopping: AbortSignal): Promise<void> {
    const plans = historyAges.map((age, run): FleetPlan => {
      const startTime = new Date(this.created.getTime() - age - run * RUN_INTERVAL_MS);
      return { firstNode: 0, nodes: this.nodes, firstRun: run, runs: 1, startTime, concurrency: 4 };
    });
    const total = plans.reduce((sum, plan) => sum + documentsOf(this.fleet, plan), 0);
    const progress = new ProgressDisplay();
    let done = 0;
    try {
      for (const plan of plans) {
        const { accepted } = await submitPlan(this.link, this.fleet, plan, {
          gzip: false,
          onStep: () => {
            stopping.throwIfAborted();
            progress.show({ step: 'submit', done: ++done, total, unit: 'documents' });
          },
          onFailure: (_, error) => {
            throw error;
          },
        });
        if (plan === plans.at(-1)) await untilVisible(this.link, seed, plan, accepted, { stallSeconds });
      }
    } finally {
      progress.end();
    }
  }

  /**
   * Submits a run every few seconds, for one machine after the other, until `stopping` aborts. Calls `printLine` with a
   * summary every minute.
   */
  async submitLive(stopping: AbortSignal, printLine: (line: string) => void): Promise<void> {
    const cycleMs = Math.max(leastCycleMs, this.nodes * paceMs);
    const counts = { changed: 0, failed: 0, unchanged: 0 };
    let summarizedAt = Date.now();
    let isRefused = false;
    for (;;) {
      await delay(cycleMs / this.nodes, undefined, { signal: stopping });
      // The number of a run depends on the clock, so that the demo repeats no run after the computer was suspended.
      const cycle = (Date.now() - this.created.getTime()) / cycleMs;
      const run = historyAges.length + Math.floor(cycle);
      const node = this.fleet.node(Math.floor((cycle % 1) * this.nodes));
      const startTime = new Date(Date.now() - run * RUN_INTERVAL_MS - node.splayMs - runMs);
      const { sent, outcome } = this.fleet.run(node.index, run, { startTime });
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

/**
 * Loads a simulated fleet into a service: two runs of each node, of which the first is old enough to be cleaned. Then
 * it submits further runs.
 */
import { Fleet } from '#fleet';
import { driveFleet, type FleetPlan } from '../../../tools/submit-fleet/drive';
import { encodeCommand, ServerLink } from '../../../tools/submit-fleet/server-link';
import { untilVisible } from '../../../tools/submit-fleet/visibility';
import type { Submission } from '../../model/steps';

const dayMs = 86_400_000;
const seed = 'archives';
const connections = 8;
/** With this age limit, the reports of the first run are due, and no node is. */
export const reportLimit = { NODELEDGER_REPORT_TTL: '14d' };

export class LoadedFleet {
  private readonly fleet = new Fleet(seed, 'compact');
  private readonly plans: readonly FleetPlan[];
  private sent = 0;
  /** Distinguishes the fleet from fleets of another size or day. */
  readonly name: string;

  constructor(readonly nodes: number) {
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    const ofRun = (firstRun: number, daysAgo: number): FleetPlan => ({
      ...{ firstNode: 0, nodes, firstRun, runs: 1, concurrency: connections },
      startTime: new Date(today - daysAgo * dayMs),
    });
    this.plans = [ofRun(0, 20), ofRun(1, 1)];
    this.name = `fleet-${nodes}-${new Date(today).toISOString().slice(0, 10)}`;
  }

  /** Submits both runs of the first nodes. Resolves when queries show them. */
  async load(url: string, nodes = this.nodes): Promise<void> {
    const link = new ServerLink({ url }, { connections });
    try {
      for (const plan of this.plans) {
        await driveFleet(this.fleet, { ...plan, nodes }, async (document) => {
          await link.submit(await encodeCommand(document, { gzip: true }));
        });
      }
      await this.untilVisible(url, nodes);
    } finally {
      link.close();
    }
  }

  /** Resolves when queries show the reports of both runs, which come after the other documents of their node. */
  async untilVisible(url: string, nodes = this.nodes): Promise<void> {
    const link = new ServerLink({ url }, { connections: 1 });
    try {
      for (const plan of this.plans) {
        const expected = { factsets: 0, catalogs: 0, reports: nodes };
        await untilVisible(link, seed, plan, expected, { stallSeconds: 120 });
      }
    } finally {
      link.close();
    }
  }

  /** Yields documents of later runs without end: facts, catalog and report of one node after the other. */
  readonly next = (): Submission => {
    const run = 2 + Math.floor(this.sent / (3 * this.nodes));
    const node = Math.floor(this.sent / 3) % this.nodes;
    const { facts, catalog, report } = this.fleet.run(node, run, { startTime: this.plans.at(-1)!.startTime });
    const { command, version, certname, text } = [facts, catalog, report][this.sent++ % 3]!;
    return { command, version, certname, payload: text, document: undefined };
  };

  get certname(): string {
    return this.fleet.node(0).certname;
  }
}

import type { Fleet, FleetDocument } from '#fleet';

/** Which part of a fleet's life is played. Machines and runs count from 0. */
export interface FleetPlan {
  readonly firstNode: number;
  readonly nodes: number;
  readonly firstRun: number;
  readonly runs: number;
  /** When run 0 of the fleet begins. */
  readonly startTime: Date;
  /** How many machines are served at the same time. */
  readonly concurrency: number;
}

/** A document on its way, with the run it belongs to. */
type Deliver = (document: FleetDocument, run: number) => Promise<void>;

/**
 * Plays a plan: run after run, in each what every machine submits (facts, catalog and report, in this order), several machines
 * at a time.
 * What `deliver` throws ends the whole play.
 */
export async function driveFleet(fleet: Fleet, plan: FleetPlan, deliver: Deliver): Promise<void> {
  for (let run = plan.firstRun; run < plan.firstRun + plan.runs; run++) {
    let next = plan.firstNode;
    const serve = async (): Promise<void> => {
      while (next < plan.firstNode + plan.nodes) {
        const { sent } = fleet.run(next++, run, { startTime: plan.startTime });
        for (const document of sent) await deliver(document, run);
      }
    };
    await Promise.all(Array.from({ length: Math.min(plan.concurrency, plan.nodes) }, serve));
  }
}

/** How many documents a plan delivers: machines in trouble submit fewer than three in a run. */
export function documentsOf(fleet: Fleet, plan: Pick<FleetPlan, 'firstNode' | 'nodes' | 'firstRun' | 'runs'>): number {
  let documents = 0;
  for (let index = plan.firstNode; index < plan.firstNode + plan.nodes; index++) {
    for (let run = plan.firstRun; run < plan.firstRun + plan.runs; run++) documents += fleet.documentsOf(index, run);
  }
  return documents;
}

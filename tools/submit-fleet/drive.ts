import type { Fleet, FleetDocument } from '#fleet';

/** Machines and runs are numbered from 0. */
export interface FleetPlan {
  readonly firstNode: number;
  readonly nodes: number;
  readonly firstRun: number;
  readonly runs: number;
  /** Start of run 0. */
  readonly startTime: Date;
  /** Number of machines that deliver at the same time. */
  readonly concurrency: number;
}

type Deliver = (document: FleetDocument, run: number) => Promise<void>;

/** Several machines deliver at the same time, but each machine delivers its facts, catalog and report in this order. */
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

/** A machine in trouble can submit fewer than three documents in a run. */
export function documentsOf(fleet: Fleet, plan: Pick<FleetPlan, 'firstNode' | 'nodes' | 'firstRun' | 'runs'>): number {
  let documents = 0;
  for (let index = plan.firstNode; index < plan.firstNode + plan.nodes; index++) {
    for (let run = plan.firstRun; run < plan.firstRun + plan.runs; run++) documents += fleet.documentsOf(index, run);
  }
  return documents;
}

import type { BatchPart } from './batch-part';
import { CatalogChanges } from './catalogs/catalog-changes';
import { FactChanges } from './facts/fact-changes';
import { InputChanges } from './inputs/input-changes';
import type { KnownKeys } from './known-keys';
import { MaintenanceChanges } from './maintenance/maintenance-changes';
import { NameChanges } from './names/name-changes';
import type { NodeState } from './node-state';
import { NodeChanges } from './nodes/node-table';
import { PackageChanges } from './packages/package-changes';
import { type KnownReports, ReportChanges } from './reports/report-changes';
import type { tablesByPart } from './schema/read-tables';
import type { PastStarts } from './history/kept-past';
import { TimelineChanges } from './timeline/timeline-changes';

type EachPart = Readonly<Record<keyof typeof tablesByPart, BatchPart> & Record<string, BatchPart>>;

export type BatchParts = ReturnType<typeof makeParts>;

/**
 * Returns the parts in the order in which the batch writes them. All projectors lock rows in this order, to prevent
 * deadlocks.
 */
export function makeParts(
  states: ReadonlyMap<string, NodeState>,
  known: KnownKeys,
  knownReports: KnownReports | undefined,
  starts: PastStarts,
) {
  const keepsPast = starts.size > 0;
  const timeline = new TimelineChanges(starts, known.volatileFacts ?? new Set());
  return {
    names: new NameChanges(known),
    maintenance: new MaintenanceChanges(starts),
    nodes: new NodeChanges(states, keepsPast),
    facts: new FactChanges(known, keepsPast, timeline),
    packages: new PackageChanges(known, keepsPast, timeline),
    catalogs: new CatalogChanges(known, states, keepsPast, timeline),
    inputs: new InputChanges(keepsPast),
    reports: new ReportChanges(keepsPast, timeline, knownReports),
    timeline,
  } satisfies EachPart;
}

import { Command } from '@nestjs/cqrs';

/** What a cleaning does. */
export interface CleanRequest {
  readonly expireNodes: boolean;
  /** `limit`: most nodes to remove; without it the setting decides. Undefined: none are to be removed. */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
  /** Remove old events of reports that are not removed. */
  readonly purgeEvents: boolean;
  /** Remove packages that no node has any more. */
  readonly collectPackages: boolean;
  /** Remove contents of resources that no catalog has any more; `collectOther` has it. */
  readonly collectResources: boolean;
  /** Remove paths of facts that no node has any more; `collectOther` has it. */
  readonly collectPaths: boolean;
  /** Purge old dead letters and entries of the audit log; remove what else nothing refers to any more. */
  readonly collectOther: boolean;
}

/** Everything. */
export const cleanEverything: CleanRequest = {
  expireNodes: true,
  purgeNodes: {},
  purgeReports: true,
  purgeEvents: true,
  collectPackages: true,
  collectResources: true,
  collectPaths: true,
  collectOther: true,
};

/** What was done. */
export interface Cleaned {
  /** Nodes. */
  readonly expired: number;
  /** Nodes. */
  readonly purged: number;
  readonly reportsPurged: number;
  /** Events, those of the reports included. */
  readonly eventsPurged: number;
  readonly deadLettersPurged: number;
  /** Rows that nothing referred to any more. */
  readonly unusedRows: number;
}

/**
 * Cleans now. `exact`: everything that is older than its age limit goes. `aligned`: ages are counted from the last full hour,
 * day or the like (`alignedCutoff`), so that one cleaning of many has something to do.
 */
export class Clean extends Command<Cleaned> {
  constructor(
    readonly request: CleanRequest,
    readonly cutoffs: 'exact' | 'aligned',
    /** Ends the cleaning early, between two steps or while it waits. The records that it has written are applied nevertheless. */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

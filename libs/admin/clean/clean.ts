import { Command } from '@nestjs/cqrs';

/** Selects the parts of a cleaning. */
export interface CleanRequest {
  readonly expireNodes: boolean;
  /**
   * `limit` is the largest number of nodes to remove; the setting decides if it is absent. Undefined: removes no nodes.
   */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
  /** Removes old events of reports that are kept. */
  readonly purgeEvents: boolean;
  /** Removes packages that no node has. */
  readonly collectPackages: boolean;
  /** Removes contents of resources that no catalog has; part of `collectOther`. */
  readonly collectResources: boolean;
  /** Removes paths of facts that no node has; part of `collectOther`. */
  readonly collectPaths: boolean;
  /** Purges old dead letters and entries of the audit log, and removes other unused shared rows. */
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

/** Result of a cleaning. */
export interface Cleaned {
  /** Number of nodes. */
  readonly expired: number;
  /** Number of nodes. */
  readonly purged: number;
  readonly reportsPurged: number;
  /** Number of events, including those of purged reports. */
  readonly eventsPurged: number;
  readonly deadLettersPurged: number;
  /** Number of deleted shared rows. */
  readonly unusedRows: number;
}

/**
 * Cleans now. `exact` removes everything that is older than its age limit. `aligned` rounds each cutoff down to a whole
 * step, such as an hour or a day (`alignedCutoff`). Most of the repeated cleanings then have the same cutoff as the one
 * before, and find nothing to remove.
 */
export class Clean extends Command<Cleaned> {
  constructor(
    readonly request: CleanRequest,
    readonly cutoffs: 'exact' | 'aligned',
    /**
     * Aborting ends the cleaning between two steps or while it waits. Records that it has appended are still applied.
     */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

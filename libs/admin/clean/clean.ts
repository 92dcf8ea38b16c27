import { Command } from '@nestjs/cqrs';

export interface CleanRequest {
  readonly expireNodes: boolean;
  /**
   * Deletes inactive nodes. If undefined, no nodes are deleted. `limit` is the largest number of nodes to delete. If
   * `limit` is absent, the setting applies.
   */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
  /** Deletes old events, but keeps the reports of these events. */
  readonly purgeEvents: boolean;
  /** Deletes packages that no node has. */
  readonly collectPackages: boolean;
  /**
   * Deletes stored resource contents that no catalog contains. If `collectOther` is true, they are deleted in any case.
   */
  readonly collectResources: boolean;
  /** Deletes stored fact paths that no node has. If `collectOther` is true, they are deleted in any case. */
  readonly collectPaths: boolean;
  /** Deletes old dead letters, old entries of the audit log, and unused shared rows. */
  readonly collectOther: boolean;
}

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

export interface Cleaned {
  readonly expired: number;
  readonly purged: number;
  readonly reportsPurged: number;
  /** Number of deleted events, including events of deleted reports. */
  readonly eventsPurged: number;
  readonly deadLettersPurged: number;
  readonly unusedRows: number;
}

/**
 * Runs a cleaning. With the cutoffs `exact`, everything that is older than its age limit is deleted. With `aligned`,
 * each cutoff is rounded down to a whole step, such as an hour or a day (`alignedCutoff`). Most repeated cleanings then
 * have the same cutoff as the previous one, and find nothing to delete.
 */
export class Clean extends Command<Cleaned> {
  constructor(
    readonly request: CleanRequest,
    readonly cutoffs: 'exact' | 'aligned',
    /**
     * Signal that ends the cleaning between two steps, or while the cleaning waits. Records that the cleaning has
     * appended are still applied.
     */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

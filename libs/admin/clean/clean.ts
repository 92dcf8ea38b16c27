import { Command } from '@nestjs/cqrs';

export interface CleanRequest {
  readonly expireNodes: boolean;
  /** Deletes inactive nodes, at most `limit`. If `limit` is absent, the setting applies. */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
  /** Keeps the reports of the deleted events. */
  readonly purgeEvents: boolean;
  readonly collectPackages: boolean;
  /**
   * Deletes stored resource contents that no catalog contains. If `collectOther` is true, they are deleted in any case.
   */
  readonly collectResources: boolean;
  /** Deletes stored fact paths that no node has. If `collectOther` is true, they are deleted in any case. */
  readonly collectPaths: boolean;
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
  readonly eventsPurged: number;
  readonly deadLettersPurged: number;
  readonly unusedRows: number;
}

/**
 * With the cutoffs `exact`, the cleaning deletes everything that is older than its age limit. With `aligned`, each
 * cutoff is rounded down to a whole step, such as an hour or a day (`alignedCutoff`). Most repeated cleanings then have
 * the same cutoff as the previous cleaning, and find nothing to delete.
 */
export class Clean extends Command<Cleaned> {
  constructor(
    readonly request: CleanRequest,
    readonly cutoffs: 'exact' | 'aligned',
    /**
     * Ends the cleaning between two steps, or while the cleaning waits. Records that the cleaning has appended are
     * still applied.
     */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

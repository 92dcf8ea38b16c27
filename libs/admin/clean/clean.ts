import { Command } from '@nestjs/cqrs';

/** Which maintenance is wanted. */
export interface CleanRequest {
  readonly expireNodes: boolean;
  /** `limit`: most nodes to remove; without it the setting decides. Undefined: none are to be removed. */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
  /** Remove packages that no node has any more. */
  readonly collectPackages: boolean;
  /** Purge old dead letters and entries of the audit log; remove what else nothing refers to any more. */
  readonly collectOther: boolean;
}

/** All that there is. */
export const everything: CleanRequest = {
  expireNodes: true,
  purgeNodes: {},
  purgeReports: true,
  collectPackages: true,
  collectOther: true,
};

/** What was done. */
export interface Cleaned {
  /** Nodes. */
  readonly expired: number;
  /** Nodes. */
  readonly purged: number;
  /** Nodes that lost reports. */
  readonly reportsPurged: number;
  readonly deadLettersPurged: number;
  /** Rows that nothing referred to any more. */
  readonly unusedRows: number;
}

/** Does maintenance now. */
export class Clean extends Command<Cleaned> {
  constructor(
    readonly request: CleanRequest,
    /** Ends it early, between two steps or while it waits; what was begun is done nevertheless. */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}

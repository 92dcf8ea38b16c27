import { Command } from '@nestjs/cqrs';

/** Which maintenance is wanted. */
export interface CleanRequest {
  readonly expireNodes: boolean;
  /** `limit`: most nodes to remove; without it the setting decides. Undefined: none are to be removed. */
  readonly purgeNodes: { readonly limit?: number } | undefined;
  readonly purgeReports: boolean;
}

/** All that there is. */
export const everything: CleanRequest = { expireNodes: true, purgeNodes: {}, purgeReports: true };

/** How many nodes each kind of maintenance was given for. */
export interface Cleaned {
  readonly expired: number;
  readonly purged: number;
  /** Nodes that lost reports. */
  readonly reportsPurged: number;
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

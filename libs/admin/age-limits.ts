/**
 * Each limit has the name of its setting and is in milliseconds; 0 means no limit. AgeLimits is a class instead of an
 * interface, so that NestJS can inject it.
 */
export abstract class AgeLimits {
  /** A node expires if it has sent no facts, catalog or report for this time. */
  abstract readonly nodeTtl: number;
  /** A node is deleted this long after it was deactivated or expired. */
  abstract readonly nodePurgeTtl: number;
  abstract readonly reportTtl: number;
  /** If absent, the events of a report are deleted with the report. */
  abstract readonly resourceEventsTtl?: number | undefined;
  /** Largest age of a past state that queries can read. If absent or 0, the read tables keep no past states. */
  abstract readonly history?: number | undefined;
  /** Largest number of nodes that one cleaning deletes; 0 means no limit. */
  abstract readonly nodePurgeGcBatchLimit: number;
  abstract readonly deadLetterTtl: number;
  abstract readonly auditTtl: number;
}

/**
 * The age limit of each kind of data, in milliseconds; 0 means no limit. Each limit has the name of its setting.
 * AgeLimits is a class instead of an interface, so that NestJS can inject it.
 */
export abstract class AgeLimits {
  /** A node expires if it has sent no facts, catalog or report for this time. */
  abstract readonly nodeTtl: number;
  /** A node is deleted this long after it was deactivated or expired. */
  abstract readonly nodePurgeTtl: number;
  /** A report is deleted this long after it was produced. */
  abstract readonly reportTtl: number;
  /**
   * The events of a report are deleted this long after the report was produced. If absent, they are deleted with the
   * report.
   */
  abstract readonly resourceEventsTtl?: number | undefined;
  /** Largest age of a past state that queries can read. If absent or 0, the read tables keep no past states. */
  abstract readonly history?: number | undefined;
  /** Largest number of nodes that one cleaning deletes; 0 means no limit. */
  abstract readonly nodePurgeGcBatchLimit: number;
  /** A dead letter is deleted this long after its command was last rejected. */
  abstract readonly deadLetterTtl: number;
  /** An entry of the audit log is deleted at this age. */
  abstract readonly auditTtl: number;
}

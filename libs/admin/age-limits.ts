/**
 * The age limit of each kind of data, by the names of the settings. Milliseconds; 0: no limit. A class, so that it
 * can be injected.
 */
export abstract class AgeLimits {
  /** A node expires if it sends no facts, catalog or report for this long. */
  abstract readonly nodeTtl: number;
  /** A node that was deactivated or expired this long ago is removed. */
  abstract readonly nodePurgeTtl: number;
  /** A report that was produced this long ago is removed. */
  abstract readonly reportTtl: number;
  /** The events of a report that was produced this long ago are removed. Absent: as the report. */
  abstract readonly resourceEventsTtl?: number | undefined;
  /** Queries can ask for a moment of this age. Absent or 0: the tables keep no past. */
  abstract readonly history?: number | undefined;
  /** The most nodes that one cleaning removes; 0: no limit. */
  abstract readonly nodePurgeGcBatchLimit: number;
  /** A dead letter whose command was last rejected this long ago is removed. */
  abstract readonly deadLetterTtl: number;
  /** An entry of the audit log of this age is removed. */
  abstract readonly auditTtl: number;
}

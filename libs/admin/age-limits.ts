/** How old what is kept may get. Milliseconds; 0: it is kept for ever. A class, so that it can be injected. */
export class AgeLimits {
  constructor(
    /** A node expires when no facts, catalog or report of it were received for this long. */
    readonly nodeTtlMs: number,
    /** A node that was deactivated or expired as long ago is removed. */
    readonly nodePurgeTtlMs: number,
    /** A report that was made as long ago is removed. */
    readonly reportTtlMs: number,
    /** Most nodes that one cleaning removes; 0: all. */
    readonly nodePurgeLimit: number,
    /** A dead letter whose command was last rejected as long ago is purged. */
    readonly deadLetterTtlMs: number,
    /** An entry of the audit log as old is removed. */
    readonly auditTtlMs: number,
    /** The events of a report that was made as long ago are removed. */
    readonly resourceEventsTtlMs: number,
  ) {}
}

import type { Position } from '#log';

/**
 * Tells a projector how to handle records if an earlier projector ended abnormally while it applied them. Contains only
 * plain data, so that a thread can receive it.
 */
export interface RecoveryPlan {
  /** By partition: offset after the last of these records. Records before this offset are applied one by one. */
  readonly suspectsBefore: ReadonlyMap<number, number>;
  /**
   * Records that ended a projector twice. They become dead letters without being read. The error of the dead letter
   * contains `reason`.
   */
  readonly reject: readonly (Position & { readonly reason: string })[];
}

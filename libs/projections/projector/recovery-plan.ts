import type { Position } from '#log';

/**
 * Describes records during which earlier projectors ended abnormally. Contains only plain data, so that a thread can
 * receive it.
 */
export interface RecoveryPlan {
  /** For each partition, the offset after the last of these records. Records before this offset are applied one by one. */
  readonly suspectsBefore: ReadonlyMap<number, number>;
  /**
   * Records whose application has crashed a projector twice. They become dead letters, and no projector reads them. The
   * error contains `reason`.
   */
  readonly reject: readonly (Position & { readonly reason: string })[];
}

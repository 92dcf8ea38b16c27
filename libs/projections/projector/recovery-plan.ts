import type { Position } from '#log';

/** What to do with the records of a projector that ended abnormally. Plain data. */
export interface RecoveryPlan {
  /** For each partition, the offset after the last of these records. Records before it are applied one by one. */
  readonly suspectsBefore: ReadonlyMap<number, number>;
  /** Records that ended a projector twice. They become dead letters unread. The letter contains `reason`. */
  readonly reject: readonly (Position & { readonly reason: string })[];
}

import type { Position } from '#log';

/** What to do with the records that a projector was working on when it ended abnormally. Plain data. */
export interface RecoveryPlan {
  /** For each partition the offset after the last of them. Records before it are applied one by one. */
  readonly suspectsBefore: ReadonlyMap<number, number>;
  /** Records that ended a projector twice: they become dead letters unread. `reason` is part of the letter's text. */
  readonly reject: readonly (Position & { readonly reason: string })[];
}

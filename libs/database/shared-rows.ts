/**
 * Keeps batches of projectors and collections of shared rows apart. A shared row has a key that other rows refer to; one that
 * nothing refers to may be collected. A projector remembers which shared rows are stored, and writes missing ones before the
 * transaction of their batch, so a row may vanish before the batch refers to it. Therefore:
 *
 * - The transaction of a batch first calls `holdSharedRows`. It then compares the epoch of its generation with the one at which
 *   the projector began to remember (`advancePositions`).
 * - A collection first calls `takeSharedRows`, and deletes and calls `raiseSharedEpoch` in one transaction.
 *
 * A batch and a collection are never in their transactions at the same time. So an unchanged epoch means that no row that the projector
 * remembers was deleted, and the rows of all earlier batches are visible to the collection.
 */
import type { Session } from './session';

const lockOf = (generation: number): string =>
  `hashtextextended('nodeledger shared rows of generation ${generation}', 0)`;

/**
 * At this isolation level, each statement after a lock sees everything that was committed before the lock was granted,
 * whatever the server's default.
 */
const readCommitted = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Keeps collections away until the transaction ends. Call it first. Any number of batches can hold the lock. */
export async function holdSharedRows(session: Session, generation: number): Promise<void> {
  await session.query({
    text: `${readCommitted}; SELECT pg_advisory_xact_lock_shared(${lockOf(generation)})`,
    values: [],
  });
}

interface TakeOptions {
  /** Longest wait for batches that are being written. New batches queue after this lock. */
  readonly waitMs: number;
  /** statement_timeout in the transaction, because batches wait meanwhile. */
  readonly statementMs: number;
}

/**
 * Keeps batches away until the transaction ends. Call it first. PostgreSQL reports 55P03 if batches hold the lock for
 * longer than `waitMs`.
 */
export async function takeSharedRows(session: Session, generation: number, options: TakeOptions): Promise<void> {
  const { waitMs, statementMs } = options;
  await session.query({
    text: `${readCommitted}; SET LOCAL lock_timeout = ${Math.ceil(waitMs)}; SET LOCAL statement_timeout = ${Math.ceil(statementMs)};
           SELECT pg_advisory_xact_lock(${lockOf(generation)})`,
    values: [],
  });
}

/** Tells projectors that shared rows were deleted. A new epoch never equals an earlier one, even after a crash. */
export async function raiseSharedEpoch(session: Session, generation: number): Promise<void> {
  await session.query({
    text: 'UPDATE nodeledger.generations SET shared_epoch = gen_random_uuid() WHERE generation = $1',
    values: [generation],
  });
}

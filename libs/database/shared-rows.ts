/**
 * Prevents conflicts between the batches of projectors and collections. A collection deletes shared rows that no row
 * refers to. A projector remembers which shared rows are stored, and adds missing shared rows before the transaction of
 * a batch begins. So a collection could delete a shared row before the batch refers to it. To prevent this, the
 * transaction of a batch first calls `holdSharedRows`, and `advancePositions` compares the present epoch of the
 * generation with the epoch in which the projector filled its memory. A collection first calls `takeSharedRows`, then
 * deletes rows and calls `raiseSharedEpoch` in one transaction. As long as the epoch is unchanged, no remembered row
 * was deleted.
 */
import type { Session } from './session';

const lockOf = (generation: number): string =>
  `hashtextextended('nodeledger shared rows of generation ${generation}', 0)`;

/** Each statement after the lock must see all commits before the lock, whatever the default of the server. */
const readCommitted = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Prevents collections until the transaction ends. This must be the first statement of the transaction. */
export async function holdSharedRows(session: Session, generation: number): Promise<void> {
  await session.query({
    text: `${readCommitted}; SELECT pg_advisory_xact_lock_shared(${lockOf(generation)})`,
    values: [],
  });
}

interface TakeOptions {
  /**
   * How long the collection waits for running batches at most, in milliseconds. New batches wait during this time, too.
   */
  readonly waitMs: number;
  /** Time limit of each statement, in milliseconds. Batches wait until the transaction of the collection ends. */
  readonly statementMs: number;
}

/**
 * Prevents batches until the transaction ends. This must be the first statement of the transaction. If the wait takes
 * longer than `waitMs`, PostgreSQL reports 55P03.
 */
export async function takeSharedRows(session: Session, generation: number, options: TakeOptions): Promise<void> {
  const { waitMs, statementMs } = options;
  await session.query({
    text: `${readCommitted}; SET LOCAL lock_timeout = ${Math.ceil(waitMs)}; SET LOCAL statement_timeout = ${Math.ceil(statementMs)};
           SELECT pg_advisory_xact_lock(${lockOf(generation)})`,
    values: [],
  });
}

/** Gives the generation a new epoch. The epoch is random, so it never repeats, even after a crash. */
export async function raiseSharedEpoch(session: Session, generation: number): Promise<void> {
  await session.query({
    text: 'UPDATE nodeledger.generations SET shared_epoch = gen_random_uuid() WHERE generation = $1',
    values: [generation],
  });
}

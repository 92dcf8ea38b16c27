/**
 * Prevents conflicts between the batches of projectors and the collection of shared rows. A collection deletes shared
 * rows without references. A projector remembers which shared rows are stored, and writes missing shared rows before
 * the transaction of the batch. So a collection could delete a row before the batch refers to it. Therefore the
 * transaction of a batch first calls `holdSharedRows`, and `advancePositions` compares the epoch of the generation with
 * the epoch at which the projector began to remember. A collection first calls `takeSharedRows`, then deletes rows and
 * calls `raiseSharedEpoch` in one transaction. So an unchanged epoch means that no remembered row was deleted.
 */
import type { Session } from './session';

const lockOf = (generation: number): string =>
  `hashtextextended('nodeledger shared rows of generation ${generation}', 0)`;

/** Each statement after the lock must see all commits before the lock, whatever the default of the server. */
const readCommitted = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Excludes collections until the transaction ends. Must be the first statement of the transaction. */
export async function holdSharedRows(session: Session, generation: number): Promise<void> {
  await session.query({
    text: `${readCommitted}; SELECT pg_advisory_xact_lock_shared(${lockOf(generation)})`,
    values: [],
  });
}

interface TakeOptions {
  /** Limit on the wait for running batches. New batches wait, too. */
  readonly waitMs: number;
  /** Batches wait during the transaction. */
  readonly statementMs: number;
}

/**
 * Excludes batches until the transaction ends. Must be the first statement of the transaction. PostgreSQL reports 55P03
 * after `waitMs`.
 */
export async function takeSharedRows(session: Session, generation: number, options: TakeOptions): Promise<void> {
  const { waitMs, statementMs } = options;
  await session.query({
    text: `${readCommitted}; SET LOCAL lock_timeout = ${Math.ceil(waitMs)}; SET LOCAL statement_timeout = ${Math.ceil(statementMs)};
           SELECT pg_advisory_xact_lock(${lockOf(generation)})`,
    values: [],
  });
}

/** The epoch is random, so it never repeats, even after a crash. */
export async function raiseSharedEpoch(session: Session, generation: number): Promise<void> {
  await session.query({
    text: 'UPDATE nodeledger.generations SET shared_epoch = gen_random_uuid() WHERE generation = $1',
    values: [generation],
  });
}

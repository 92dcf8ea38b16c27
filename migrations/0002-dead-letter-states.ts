import type { MigrationInterface, QueryRunner } from 'typeorm';

// state: what became of a letter. Applied (by a retry) and purged ones stay as rows without payload, so that a replay,
// which rejects the command again at the same place, does not bring them back.
// last_offset: offset of the newest retry whose outcome is in the row; 0, where the log's header stands: none yet.
const up = `
ALTER TABLE nodeledger.dead_letters
  ADD COLUMN state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'applied', 'purged')),
  ADD COLUMN last_offset bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_rejected_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN retried_at timestamptz;
UPDATE nodeledger.dead_letters SET last_rejected_at = rejected_at;
CREATE INDEX waiting_dead_letters ON nodeledger.dead_letters (last_rejected_at, log_partition, log_offset)
  WHERE state = 'waiting';
`;

/** Lets dead letters be retried and purged. */
export class DeadLetterStates0002 implements MigrationInterface {
  readonly name = 'DeadLetterStates0000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** What was purged or applied would come back with the next replay; there is no way down but a restored backup. */
  down(): Promise<void> {
    return Promise.reject(new Error('the states of dead letters cannot be taken back'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

// shared_epoch: another value after each collection of shared rows. A projector that remembers which rows are stored checks it.
// It is added without a default first. With one that is not constant, PostgreSQL would rewrite the table, and queries that
// waited for that would find it empty.
// state 'dropped': the tables of this generation are being dropped, in several transactions.
// Every query reads generations, and new ones wait behind this migration: so it waits for running ones only shortly, and is
// tried again.
const up = `
SET LOCAL lock_timeout = '2s';
ALTER TABLE nodeledger.generations ADD COLUMN shared_epoch uuid;
UPDATE nodeledger.generations SET shared_epoch = gen_random_uuid();
ALTER TABLE nodeledger.generations
  ALTER COLUMN shared_epoch SET DEFAULT gen_random_uuid(),
  ALTER COLUMN shared_epoch SET NOT NULL,
  DROP CONSTRAINT generations_state_check,
  ADD CONSTRAINT generations_state_check CHECK (state IN ('building', 'live', 'retired', 'scratch', 'point', 'dropped'));
CREATE INDEX dead_letters_of_node ON nodeledger.dead_letters ("left"(certname, 200));
`;

/** Lets rows that nothing refers to be collected, and the dead letters of a node be found. */
export class Collection0005 implements MigrationInterface {
  readonly name = 'Collection0000000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** A generation may be half dropped; there is no way down but a restored backup. */
  down(): Promise<void> {
    return Promise.reject(new Error('collections cannot be taken back'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

// tail_offset: below it only the base's records are left. base: number of the base in force; 0: none.
// log_base_records: by base; one that is not in force is being prepared, or superseded and on its way out.
// state 'scratch': tables that a verification or a snapshot makes and drops. 'point': tables as of an earlier position, kept
// to be looked at. Neither is ever live.
// generation_numbers: a number is never given twice, so that who still works on a dropped generation finds nothing.
// maintenance_runs: when each kind of maintenance was last finished, so that a restart does not start the interval again.
const up = `
ALTER TABLE nodeledger.log_partitions
  ADD COLUMN tail_offset bigint NOT NULL DEFAULT 1,
  ADD COLUMN base int NOT NULL DEFAULT 0;

CREATE SEQUENCE nodeledger.log_base_numbers AS int;

CREATE TABLE nodeledger.log_base_records (
  base int NOT NULL,
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  uuid uuid NOT NULL,
  command text NOT NULL,
  version int NOT NULL,
  certname text NOT NULL,
  received_at bigint NOT NULL,
  encoding text NOT NULL,
  headers text NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (base, log_partition, log_offset)
);
ALTER TABLE nodeledger.log_base_records ALTER COLUMN payload SET STORAGE EXTERNAL;

ALTER TABLE nodeledger.generations
  DROP CONSTRAINT generations_state_check,
  ADD CONSTRAINT generations_state_check CHECK (state IN ('building', 'live', 'retired', 'scratch', 'point'));

CREATE SEQUENCE nodeledger.generation_numbers;
SELECT setval('nodeledger.generation_numbers', max(generation)) FROM nodeledger.generations HAVING max(generation) > 0;

CREATE TABLE nodeledger.maintenance_runs (
  kind text PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now()
);
`;

/** Room for bases of the embedded log, and for tables that are never meant to be live. */
export class BasesAndScratch0003 implements MigrationInterface {
  readonly name = 'BasesAndScratch0000000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** A log that has been truncated cannot be made whole; there is no way down but a restored backup. */
  down(): Promise<void> {
    return Promise.reject(new Error('bases of the log cannot be taken back'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE SCHEMA IF NOT EXISTS nodeledger;

CREATE TABLE nodeledger.generations (
  generation int PRIMARY KEY,
  schema_name text NOT NULL UNIQUE,
  projection_version int NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX one_live_generation ON nodeledger.generations ((true)) WHERE state = 'live';

-- next_offset: the first record that this generation has not applied.
CREATE TABLE nodeledger.positions (
  generation int NOT NULL REFERENCES nodeledger.generations ON DELETE CASCADE,
  log_partition int NOT NULL,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (generation, log_partition)
) WITH (fillfactor = 50);

-- A rejected command, whole. Keyed by its position, written once, also when a replay rejects it again.
CREATE TABLE nodeledger.dead_letters (
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  uuid uuid NOT NULL,
  command text NOT NULL,
  version int NOT NULL,
  certname text NOT NULL,
  received_at timestamptz NOT NULL,
  headers jsonb NOT NULL,
  encoding text NOT NULL,
  payload bytea NOT NULL,
  error text NOT NULL,
  exception text NOT NULL,
  attempts int NOT NULL,
  rejected_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (log_partition, log_offset)
);
CREATE INDEX ON nodeledger.dead_letters (uuid);

CREATE TABLE nodeledger.log_partitions (
  log_partition int PRIMARY KEY,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE nodeledger.log_records (
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
  PRIMARY KEY (log_partition, log_offset)
);
ALTER TABLE nodeledger.log_records ALTER COLUMN payload SET STORAGE EXTERNAL;
`;

/**
 * Control tables: outside every generation, so that a rebuild leaves them alone. Schema `nodeledger`.
 * The embedded log lives here too (tables log_partitions, log_records).
 */
export class ControlTables0001 implements MigrationInterface {
  /** The runner orders migrations by the last thirteen digits of their name. */
  readonly name = 'ControlTables0000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Control tables hold what nothing else can give back; there is no way down but a restored backup. */
  down(): Promise<void> {
    return Promise.reject(new Error('the control tables cannot be taken back'));
  }
}

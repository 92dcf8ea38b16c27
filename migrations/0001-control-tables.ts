import type { MigrationInterface, QueryRunner } from 'typeorm';
import { versionKeys } from './version-keys';

const up = `
CREATE SCHEMA IF NOT EXISTS nodeledger;

-- state: scratch tables are made and dropped by a verification or a snapshot. Tables of a point show an earlier position. The tables of
-- a dropped generation are being dropped, in several transactions.
-- shared_epoch changes with each removal of shared rows. A projector that remembers which shared rows are stored compares it.
CREATE TABLE nodeledger.generations (
  generation int PRIMARY KEY,
  schema_name text NOT NULL UNIQUE,
  projection_version int NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired', 'scratch', 'point', 'dropped')),
  created_at timestamptz NOT NULL DEFAULT now(),
  shared_epoch uuid NOT NULL DEFAULT gen_random_uuid()
);
CREATE UNIQUE INDEX one_live_generation ON nodeledger.generations ((true)) WHERE state = 'live';
-- A number is never used twice, so a process that still works on a dropped generation finds nothing.
CREATE SEQUENCE nodeledger.generation_numbers;

-- next_offset: the first record that this generation has not applied.
CREATE TABLE nodeledger.positions (
  generation int NOT NULL REFERENCES nodeledger.generations ON DELETE CASCADE,
  log_partition int NOT NULL,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (generation, log_partition)
) WITH (fillfactor = 50);

-- A rejected command, with its payload. The key is its position in the log, so a replay that rejects it again adds no row. Applied (by a
-- retry) and purged letters stay as rows without payload, because otherwise a replay would bring them back.
-- last_offset: offset of the newest retry whose outcome is in the row; 0 if there is none.
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
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'applied', 'purged')),
  last_offset bigint NOT NULL DEFAULT 0,
  last_rejected_at timestamptz NOT NULL DEFAULT now(),
  retried_at timestamptz,
  PRIMARY KEY (log_partition, log_offset)
);
-- Not compressed, so that a part of a payload is read without the parts before it.
ALTER TABLE nodeledger.dead_letters ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX ON nodeledger.dead_letters (uuid);
CREATE INDEX dead_letters_of_node ON nodeledger.dead_letters ("left"(certname, 200));
CREATE INDEX waiting_dead_letters ON nodeledger.dead_letters (last_rejected_at, log_partition, log_offset)
  WHERE state = 'waiting';

-- The embedded log. base: the number of the current base; 0 if there is none. Records before tail_offset are only in the base.
CREATE TABLE nodeledger.log_partitions (
  log_partition int PRIMARY KEY,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL,
  tail_offset bigint NOT NULL DEFAULT 1,
  base int NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- plain_bytes: the length of the original payload if the row stores it compressed; null if the payload is stored as it came.
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
  plain_bytes int,
  PRIMARY KEY (log_partition, log_offset)
);
ALTER TABLE nodeledger.log_records ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Records of bases: of the current one, of one that is being prepared, and of those that are being deleted.
CREATE TABLE nodeledger.log_base_records (
  base int NOT NULL,
  LIKE nodeledger.log_records INCLUDING STORAGE,
  PRIMARY KEY (base, log_partition, log_offset)
);
CREATE SEQUENCE nodeledger.log_base_numbers AS int;

-- When each kind of maintenance ended last, so that a restart does not begin the interval again.
CREATE TABLE nodeledger.maintenance_runs (
  kind text PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now()
);

-- Bearer tokens. hash: SHA-256 of the token, which is not stored itself.
CREATE TABLE nodeledger.tokens (
  name text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  roles text[] NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  expires timestamptz,
  revoked timestamptz,
  last_used timestamptz
);

-- Actions of the role admin. outcome is null while the action runs.
CREATE TABLE nodeledger.audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  ended timestamptz,
  actor text NOT NULL,
  address text,
  action text NOT NULL,
  subject text,
  outcome text
);
CREATE INDEX audit_log_at ON nodeledger.audit_log (at);
${versionKeys}`;

/**
 * Creates the control tables of release 0.2.0. These tables do not belong to a generation, so a rebuild does not change
 * them.
 */
export class ControlTables0001 implements MigrationInterface {
  /** TypeORM runs migrations in the order of the last thirteen digits of their names. */
  readonly name = 'Release0000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Throws, because the control tables contain data that cannot be rebuilt from the log. */
  down(): Promise<void> {
    return Promise.reject(new Error('the control tables cannot be removed'));
  }
}

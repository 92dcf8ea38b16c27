import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
-- Receivers of changes. secret: encrypted, never in clear text; previous_secret signs too, until previous_until.
-- revision: raised by each change of an administrator, so that a delivery that began before it cannot move the cursors.
-- failing_since: when the first of the failures came that no success has followed.
CREATE TABLE nodeledger.subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE,
  url text NOT NULL,
  filter jsonb NOT NULL,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamptz,
  revision bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  pause text CHECK (pause IN ('asked', 'failing', 'gone')),
  paused_at timestamptz,
  failures int NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_error text,
  delivered_at timestamptz
);

-- next_offset: the first record of the partition whose changes the receiver may not have. log names the log and its database. In another
-- log, the subscription goes on by passed_at: no record that was not passed was received before it.
-- A restore loads the tables in the order of their names, so the reference is checked at the end of its transaction.
CREATE TABLE nodeledger.subscription_cursors (
  subscription uuid NOT NULL REFERENCES nodeledger.subscriptions ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  log_partition int NOT NULL,
  log text NOT NULL,
  next_offset bigint NOT NULL,
  passed_at timestamptz NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (subscription, log_partition)
) WITH (fillfactor = 50);

-- Attempts to deliver a change. status: of the answer; null if there was none.
CREATE TABLE nodeledger.deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription uuid NOT NULL REFERENCES nodeledger.subscriptions ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now(),
  event text NOT NULL,
  type text NOT NULL,
  certname text,
  status int,
  ms int NOT NULL,
  error text
);
CREATE INDEX deliveries_of_subscription ON nodeledger.deliveries (subscription, id);
`;

export class Subscriptions0004 implements MigrationInterface {
  readonly name = 'Subscriptions0000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE nodeledger.deliveries, nodeledger.subscription_cursors, nodeledger.subscriptions');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

// tokens: bearer tokens; hash is the SHA-256 of the token, which itself is not stored.
// audit_log: who did what with the role admin. outcome is null while the action is under way.
const up = `
CREATE TABLE nodeledger.tokens (
  name text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  roles text[] NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  expires timestamptz,
  revoked timestamptz,
  last_used timestamptz
);
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
`;

/** Tokens, and the log of what was done with the role admin. */
export class Access0006 implements MigrationInterface {
  readonly name = 'Access0000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE nodeledger.audit_log, nodeledger.tokens');
  }
}

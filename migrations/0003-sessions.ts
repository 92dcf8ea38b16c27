import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
-- Browsers that have signed in with a token. hash: SHA-256 of the secret in the cookie, which is not stored itself.
CREATE TABLE nodeledger.sessions (
  hash bytea PRIMARY KEY,
  token text NOT NULL REFERENCES nodeledger.tokens ON DELETE CASCADE,
  created timestamptz NOT NULL DEFAULT now(),
  expires timestamptz NOT NULL
);
CREATE INDEX sessions_token ON nodeledger.sessions (token, created);
`;

export class Sessions0003 implements MigrationInterface {
  readonly name = 'Sessions0000000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE nodeledger.sessions');
  }
}

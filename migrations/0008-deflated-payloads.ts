import type { MigrationInterface, QueryRunner } from 'typeorm';

// plain_bytes: length of the payload as it came, in rows that hold it deflated; null: the payload is as it came, as in all rows
// of earlier releases. A column without a default changes the catalog only, so no row is rewritten.
// The header of each partition gets the next format, so that an earlier release refuses the log instead of rejecting commands
// that it cannot read.
// Appends and readers wait behind this migration: so it waits for running ones only shortly, and is tried again.
const up = `
SET LOCAL lock_timeout = '2s';
ALTER TABLE nodeledger.log_records ADD COLUMN plain_bytes int;
ALTER TABLE nodeledger.log_base_records ADD COLUMN plain_bytes int;
UPDATE nodeledger.log_records r
SET payload = decode(replace(encode(r.payload, 'escape'), '"format":1,', '"format":2,'), 'escape')
FROM nodeledger.log_partitions p
WHERE r.log_partition = p.log_partition AND r.log_offset = 0 AND r.command = 'log header';
`;

/** Lets the embedded log store payloads that came as plain JSON deflated. */
export class DeflatedPayloads0008 implements MigrationInterface {
  readonly name = 'DeflatedPayloads0000000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Records that are stored deflated would be lost; there is no way down but a restored backup. */
  down(): Promise<void> {
    return Promise.reject(new Error('deflated payloads cannot be taken back'));
  }
}

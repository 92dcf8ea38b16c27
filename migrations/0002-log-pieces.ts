import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
-- The embedded log stores a large section of a document once in each epoch. A record of an epoch refers to sections of the same epoch
-- only. So when the last record of an epoch is gone, its sections and pieces can be removed without looking who refers to them.
ALTER TABLE nodeledger.log_partitions ADD COLUMN epoch int NOT NULL DEFAULT 1;

-- sections: 44 bytes for each section that the payload does not have: where it belongs, its length, its weight (32 bits, big-endian) and
-- its SHA-256. Null if the row stores the payload whole. Records of base n are in epoch -n.
ALTER TABLE nodeledger.log_records ADD COLUMN epoch int, ADD COLUMN sections bytea;
ALTER TABLE nodeledger.log_base_records ADD COLUMN epoch int, ADD COLUMN sections bytea;
ALTER TABLE nodeledger.log_records ALTER COLUMN sections SET STORAGE EXTERNAL;
ALTER TABLE nodeledger.log_base_records ALTER COLUMN sections SET STORAGE EXTERNAL;

-- end_offset: the first record of the partition that is in a later epoch. The current epoch has no rows.
CREATE TABLE nodeledger.log_epochs (
  epoch int NOT NULL,
  log_partition int NOT NULL,
  end_offset bigint NOT NULL,
  PRIMARY KEY (epoch, log_partition)
);

-- A section by its SHA-256. pieces: the SHA-256 of each of its pieces, in order.
CREATE TABLE nodeledger.log_sections (
  epoch int NOT NULL,
  hash bytea NOT NULL,
  pieces bytea NOT NULL,
  PRIMARY KEY (epoch, hash)
);
ALTER TABLE nodeledger.log_sections ALTER COLUMN pieces SET STORAGE EXTERNAL;

-- content: the bytes of the piece, deflated.
CREATE TABLE nodeledger.log_pieces (
  epoch int NOT NULL,
  hash bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (epoch, hash)
);
ALTER TABLE nodeledger.log_pieces ALTER COLUMN content SET STORAGE EXTERNAL;
`;

/** Creates the tables and columns with which the embedded log stores a repeated section of documents only once. */
export class LogPieces0002 implements MigrationInterface {
  readonly name = 'LogPieces0000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Throws, because records that refer to sections would be lost. */
  down(): Promise<void> {
    return Promise.reject(new Error('the control tables cannot be removed'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payloads of dead letters are stored as they are, so that a piece of one is read without the pieces before it. */
export class LetterPayloads0004 implements MigrationInterface {
  readonly name = 'LetterPayloads0000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE nodeledger.dead_letters ALTER COLUMN payload SET STORAGE EXTERNAL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE nodeledger.dead_letters ALTER COLUMN payload SET STORAGE EXTENDED');
  }
}

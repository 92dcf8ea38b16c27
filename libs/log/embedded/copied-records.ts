import type { Database } from '#database';
import type { LogRecord } from '../record';
import { binaryRows } from './copy-binary';
import type { PieceMemory } from './pieces/piece-memory';
import { recordOf } from './read-statements';
import { restoredRecords } from './stored-record';

/** Throws `log.foreign` if a record is damaged. */
export async function copiedRecords(
  db: Database,
  statement: string,
  memory: PieceMemory,
  inParts: readonly string[] = [],
): Promise<LogRecord[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(statement)) chunks.push(chunk);
  return restoredRecords(db, [...binaryRows(Buffer.concat(chunks))].map(recordOf), inParts, memory);
}

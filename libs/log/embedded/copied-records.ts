import type { Database } from '#database';
import type { LogRecord } from '../record';
import { binaryRows } from './copy-binary';
import { recordOf } from './statements';

/** The records that a COPY statement of this folder gives. */
export async function copiedRecords(db: Database, statement: string): Promise<LogRecord[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(statement)) chunks.push(chunk);
  return [...binaryRows(Buffer.concat(chunks))].map(recordOf);
}

import { gunzipSync } from 'node:zlib';
import type { Database } from '#database';

/**
 * Returns each row of the tables of the embedded log: all columns, inflated payloads, and also the bases that are not
 * current.
 */
export async function storedText(db: Database): Promise<string[]> {
  const texts: string[] = [];
  for (const table of ['log_records', 'log_base_records']) {
    const rows = await db.query<{ payload: Buffer }>({ text: `SELECT * FROM nodeledger.${table}`, values: [] });
    for (const { payload, ...columns } of rows) {
      const plain = payload[0] === 0x1f && payload[1] === 0x8b ? gunzipSync(payload) : payload;
      texts.push(`${JSON.stringify(columns)} ${plain.toString()}`);
    }
  }
  return texts;
}

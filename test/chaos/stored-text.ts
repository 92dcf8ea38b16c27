import { gunzipSync } from 'node:zlib';
import type { Database } from '#database';

/** Each row of the embedded log's own tables, all columns, payloads inflated; of bases whether in force or not. */
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

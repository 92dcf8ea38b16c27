/** Assembles documents from their remaining bytes and the pieces of their sections. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, inflateRawSync } from 'node:zlib';
import type { Database } from '#database';
import type { LeftOutSection } from '../../document-parts';
import { binaryRows } from '../copy-binary';
import { copyPieces } from './piece-statements';

const inflateRest = promisify(gunzip);

export interface StoredParts {
  readonly epoch: number;
  readonly plainBytes: number;
  /** The document without its sections, compressed. */
  readonly rest: Buffer;
  readonly sections: readonly LeftOutSection[];
}

export const restOf = ({ rest }: StoredParts): Promise<Buffer> => inflateRest(rest);

/** Returns the documents in the order of `stored`. Returns an Error for a document with a missing or changed piece. */
export async function wholeDocuments(
  db: Pick<Database, 'copyOut'>,
  stored: readonly StoredParts[],
): Promise<(Buffer | Error)[]> {
  const pieces = await readPieces(db, stored);
  return Promise.all(
    stored.map(async (parts) => {
      try {
        return wholeOf(parts, await restOf(parts), pieces);
      } catch (error) {
        return error as Error;
      }
    }),
  );
}

const keyOf = (epoch: number, { sha256 }: LeftOutSection): string => `${epoch} ${sha256.toString('hex')}`;

async function readPieces(
  db: Pick<Database, 'copyOut'>,
  stored: readonly StoredParts[],
): Promise<Map<string, Buffer[]>> {
  const wanted: { key: string; epoch: number; hash: string }[] = [];
  const pieces = new Map<string, Buffer[]>();
  for (const { epoch, sections } of stored) {
    for (const section of sections) {
      const key = keyOf(epoch, section);
      if (pieces.has(key)) continue;
      pieces.set(key, []);
      wanted.push({ key, epoch, hash: section.sha256.toString('hex') });
    }
  }
  if (wanted.length === 0) return pieces;
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(copyPieces(wanted))) chunks.push(chunk);
  for (const [place, content] of binaryRows(Buffer.concat(chunks))) {
    pieces.get(wanted[(place as Buffer).readInt32BE()]!.key)!.push(content as Buffer);
  }
  return pieces;
}

function wholeOf(
  { epoch, plainBytes, sections }: StoredParts,
  rest: Buffer,
  pieces: ReadonlyMap<string, readonly Buffer[]>,
): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const section of sections) {
    const bytes = Buffer.concat(
      pieces.get(keyOf(epoch, section))!.map((piece) => inflateRawSync(piece, { maxOutputLength: section.length + 1 })),
    );
    if (bytes.length !== section.length || !hash('sha256', bytes, 'buffer').equals(section.sha256)) {
      throw new RangeError(`section ${section.sha256.toString('hex')} is not what was stored`);
    }
    parts.push(rest.subarray(from, section.at), bytes);
    from = section.at;
  }
  parts.push(rest.subarray(from));
  const whole = Buffer.concat(parts);
  if (whole.length !== plainBytes) throw new RangeError(`${whole.length} bytes came, not ${plainBytes}`);
  return whole;
}

/** Assembles documents from their rests, sections and pieces. */
import type { Database } from '#database';
import { gunzipWithin } from '#limits';
import type { LeftOutSection } from '../../document-parts';
import { wholeDocument, wholeSection } from '../../whole-document';
import { binaryRows } from '../copy-binary';
import { copyPieces } from './piece-statements';
import type { SectionCache } from './section-cache';

export interface StoredParts {
  readonly epoch: number;
  readonly plainBytes: number;
  /** The document without its sections, compressed. */
  readonly rest: Buffer;
  readonly sections: readonly LeftOutSection[];
}

export const restOf = ({ rest, plainBytes }: StoredParts): Promise<Buffer> => gunzipWithin(rest, plainBytes);

/** Returns the documents in the order of `stored`. Returns an Error for a document with a missing or changed piece. */
export async function wholeDocuments(
  db: Pick<Database, 'copyOut'>,
  stored: readonly StoredParts[],
  cache?: SectionCache,
): Promise<(Buffer | Error)[]> {
  const found = await readSections(db, stored, cache);
  return Promise.all(
    stored.map(async (parts) => {
      try {
        return wholeOf(parts, await restOf(parts), found, cache);
      } catch (error) {
        return error as Error;
      }
    }),
  );
}

/** A section: its compressed pieces, in order, or its bytes from the cache. */
interface FoundSection {
  readonly pieces: Buffer[];
  readonly bytes: Buffer | undefined;
}

const keyOf = (epoch: number, { sha256 }: LeftOutSection): string => `${epoch} ${sha256.toString('hex')}`;

async function readSections(
  db: Pick<Database, 'copyOut'>,
  stored: readonly StoredParts[],
  cache?: SectionCache,
): Promise<Map<string, FoundSection>> {
  const wanted: { key: string; epoch: number; hash: string }[] = [];
  const found = new Map<string, FoundSection>();
  for (const { epoch, sections } of stored) {
    for (const section of sections) {
      const key = keyOf(epoch, section);
      if (found.has(key)) continue;
      const bytes = cache?.get(section);
      found.set(key, { pieces: [], bytes });
      if (bytes === undefined) wanted.push({ key, epoch, hash: section.sha256.toString('hex') });
    }
  }
  if (wanted.length === 0) return found;
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(copyPieces(wanted))) chunks.push(chunk);
  for (const [place, content] of binaryRows(Buffer.concat(chunks))) {
    found.get(wanted[(place as Buffer).readInt32BE()]!.key)!.pieces.push(content as Buffer);
  }
  return found;
}

function wholeOf(
  { epoch, plainBytes, sections }: StoredParts,
  rest: Buffer,
  found: ReadonlyMap<string, FoundSection>,
  cache: SectionCache | undefined,
): Buffer {
  const whole = sections.map((section) => {
    const { pieces, bytes = wholeSection(section, pieces) } = found.get(keyOf(epoch, section))!;
    cache?.add(section, bytes);
    return { at: section.at, bytes };
  });
  return wholeDocument(rest, plainBytes, whole);
}

/** Returns the compressed pieces of a section, in order. Throws a RangeError if a piece is missing or was changed. */
export async function piecesOf(
  db: Pick<Database, 'copyOut'>,
  stored: StoredParts,
  section: LeftOutSection,
): Promise<readonly Buffer[]> {
  const found = await readSections(db, [{ ...stored, sections: [section] }]);
  const { pieces } = found.get(keyOf(stored.epoch, section))!;
  wholeSection(section, pieces);
  return pieces;
}

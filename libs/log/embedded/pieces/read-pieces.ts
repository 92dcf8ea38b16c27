/** Assembles documents from their rests, sections and pieces. */
import type { Database } from '#database';
import { gunzipWithin } from '#limits';
import type { LeftOutSection } from '../../document-parts';
import { wholeDocument, wholeSection } from '../../whole-document';
import { binaryRows } from '../copy-binary';
import { copyPieces } from './piece-statements';

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
): Promise<(Buffer | Error)[]> {
  const found = await readSections(db, stored);
  return Promise.all(
    stored.map(async (parts) => {
      try {
        const bytes = bytesOf(parts, found);
        const sections = parts.sections.map(({ at }, index) => ({ at, bytes: bytes[index]! }));
        return wholeDocument(await restOf(parts), parts.plainBytes, sections);
      } catch (error) {
        return error as Error;
      }
    }),
  );
}

/** The compressed pieces of sections, in order. */
type FoundPieces = ReadonlyMap<string, Buffer[]>;

const keyOf = (epoch: number, { sha256 }: LeftOutSection): string => `${epoch} ${sha256.toString('hex')}`;

async function readSections(db: Pick<Database, 'copyOut'>, stored: readonly StoredParts[]): Promise<FoundPieces> {
  const wanted: { key: string; epoch: number; hash: string }[] = [];
  const found = new Map<string, Buffer[]>();
  for (const { epoch, sections } of stored) {
    for (const section of sections) {
      const key = keyOf(epoch, section);
      if (found.has(key)) continue;
      found.set(key, []);
      wanted.push({ key, epoch, hash: section.sha256.toString('hex') });
    }
  }
  if (wanted.length === 0) return found;
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(copyPieces(wanted))) chunks.push(chunk);
  for (const [place, content] of binaryRows(Buffer.concat(chunks))) {
    found.get(wanted[(place as Buffer).readInt32BE()]!.key)!.push(content as Buffer);
  }
  return found;
}

/** Throws a RangeError if a piece is missing or was changed. */
const bytesOf = ({ epoch, sections }: StoredParts, found: FoundPieces): Buffer[] =>
  sections.map((section) => wholeSection(section, found.get(keyOf(epoch, section))!));

/** Returns the bytes of the sections, in order. Throws a RangeError if a piece is missing or was changed. */
export const sectionBytesOf = async (db: Pick<Database, 'copyOut'>, stored: StoredParts): Promise<Buffer[]> =>
  bytesOf(stored, await readSections(db, [stored]));

/** Returns the compressed pieces of a section, in order. Throws a RangeError if a piece is missing or was changed. */
export async function piecesOf(
  db: Pick<Database, 'copyOut'>,
  stored: StoredParts,
  section: LeftOutSection,
): Promise<readonly Buffer[]> {
  const found = await readSections(db, [{ ...stored, sections: [section] }]);
  const pieces = found.get(keyOf(stored.epoch, section))!;
  wholeSection(section, pieces);
  return pieces;
}

import { hash as digest } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { Database } from '#database';
import { gunzipWithin } from '#limits';
import type { LeftOutSection } from '../../document-parts';
import { mostPieceBytes } from '../../cut';
import { joinPieces, wholeDocument, wholeSection } from '../../whole-document';
import { binaryRows } from '../copy-binary';
import type { PieceMemory } from './piece-memory';
import { copyPieceHashes, copyPieces, copyPiecesWith } from './piece-statements';
import { eachHash } from './splitter';

export interface StoredParts {
  readonly epoch: number;
  readonly plainBytes: number;
  readonly rest: Buffer;
  readonly sections: readonly LeftOutSection[];
}

export const restOf = ({ rest, plainBytes }: StoredParts): Promise<Buffer> => gunzipWithin(rest, plainBytes);

/**
 * Returns the documents in the order of `stored`. If a piece is missing or was changed, returns an Error instead of the
 * document.
 */
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
  for (const [index, content] of await rowsOf(db, copyPieces(wanted))) {
    found.get(wanted[(index as Buffer).readInt32BE()]!.key)!.push(content as Buffer);
  }
  return found;
}

async function rowsOf(db: Pick<Database, 'copyOut'>, copyStatement: string): Promise<Iterable<Buffer[]>> {
  const chunks: Buffer[] = [];
  for await (const chunk of db.copyOut(copyStatement)) chunks.push(chunk);
  return binaryRows(Buffer.concat(chunks));
}

/** Copies the piece, because zlib returns a slice of a larger buffer, which would stay in memory. */
function inflatePiece(compressed: Buffer): Buffer {
  const inflated = inflateRawSync(compressed, { maxOutputLength: mostPieceBytes });
  const piece = Buffer.allocUnsafeSlow(inflated.length);
  inflated.copy(piece);
  return piece;
}

const bytesOf = ({ epoch, sections }: StoredParts, found: FoundPieces): Buffer[] =>
  sections.map((section) => wholeSection(section, found.get(keyOf(epoch, section))!));

/** Reads only the pieces that `memory` does not have. Throws a RangeError if a piece is missing or was changed. */
export async function sectionBytesOf(
  db: Pick<Database, 'copyOut'>,
  { epoch, sections }: StoredParts,
  memory: PieceMemory,
): Promise<Buffer[]> {
  const hexOf = ({ sha256 }: LeftOutSection): string => sha256.toString('hex');
  const lists = sections.map((): string[] => []);
  for (const [index, hashes] of await rowsOf(db, copyPieceHashes(epoch, sections.map(hexOf))))
    lists[index!.readInt32BE()]!.push(...eachHash(hashes!));
  const pieces = new Map<string, Buffer | undefined>();
  for (const hash of lists.flat()) pieces.set(hash, memory.get(hash));
  const missing = [...pieces.keys()].filter((hash) => pieces.get(hash) === undefined);
  if (missing.length > 0) {
    const wanted = missing.map((hash) => Buffer.from(hash, 'latin1').toString('hex'));
    for (const [hash, content] of await rowsOf(db, copyPiecesWith(epoch, wanted))) {
      const piece = inflatePiece(content!);
      // Otherwise `memory` would return a changed piece for other sections, too.
      if (!digest('sha256', piece, 'buffer').equals(hash!)) throw new RangeError('a piece was changed');
      memory.set(hash!.toString('latin1'), piece);
      pieces.set(hash!.toString('latin1'), piece);
    }
  }
  return sections.map((section, index) =>
    joinPieces(
      section,
      lists[index]!.map((hash) => pieces.get(hash) ?? Buffer.alloc(0)),
    ),
  );
}

/** Throws a RangeError if a piece is missing or was changed. */
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

/**
 * A file of blocks, which all segments of one backup share. A block is a piece of a section, or the list of all pieces
 * of a section. A block has no header, because a reference to a block contains its offset and length.
 */
import { hash, randomBytes } from 'node:crypto';
import type { DividedDocument, LeftOutSection } from '#log';
import type { BackupFile } from './manifest';
import { PartFile } from './part-file';

export interface BlockRange {
  readonly offset: number;
  readonly length: number;
}

/** An entry in a section's list of pieces: 6 bytes for the offset of the piece, and 4 bytes for its length. */
const entryBytes = 10;
/**
 * At most this many sections and this many pieces are remembered. Each takes about 150 bytes of memory. When the limit
 * is reached, the class forgets all sections (or all pieces). It then stores a section or piece that occurs again a
 * second time.
 */
const defaultMost = 500_000;

export class BlockFile {
  private readonly name = `blocks-${randomBytes(6).toString('hex')}`;
  private readonly file: PartFile;
  /** Keys are hashes of sections. Each value is the range of the section's list of pieces. */
  private readonly sections = new Map<string, BlockRange>();
  private readonly pieces = new Map<string, BlockRange>();

  constructor(
    dir: string,
    /** Existing folder below `dir`. */
    folder: string,
    private readonly most = defaultMost,
  ) {
    this.file = new PartFile(dir, folder, this.name);
  }

  /** Returns the range of the section's list of pieces. Adds the list and its pieces to the file if they are new. */
  async rangeOf(section: LeftOutSection, document: DividedDocument): Promise<BlockRange> {
    const key = section.sha256.toString('latin1');
    const known = this.sections.get(key);
    if (known !== undefined) return known;
    const pieces = await document.pieces(section);
    const list = Buffer.alloc(pieces.length * entryBytes);
    for (const [index, piece] of pieces.entries()) {
      const { offset, length } = this.rangeOfPiece(piece);
      list.writeUIntBE(offset, index * entryBytes, 6);
      list.writeUInt32BE(length, index * entryBytes + 6);
    }
    const range = this.add(list);
    remember(this.sections, key, range, this.most);
    await this.file.writeMany();
    return range;
  }

  /** Returns undefined if there are no blocks. */
  async end(): Promise<BackupFile | undefined> {
    return this.file.bytes === 0 ? undefined : this.file.end(this.name);
  }

  private rangeOfPiece(piece: Buffer): BlockRange {
    const key = hash('sha256', piece, 'buffer').toString('latin1');
    let range = this.pieces.get(key);
    if (range === undefined) remember(this.pieces, key, (range = this.add(piece)), this.most);
    return range;
  }

  private add(block: Buffer): BlockRange {
    const range = { offset: this.file.bytes, length: block.length };
    this.file.add(block);
    return range;
  }
}

function remember<T>(known: Map<string, T>, key: string, value: T, most: number): void {
  if (known.size >= most) known.clear();
  known.set(key, value);
}

export function* readList(list: Buffer): Generator<BlockRange> {
  for (let at = 0; at + entryBytes <= list.length; at += entryBytes) {
    yield { offset: list.readUIntBE(at, 6), length: list.readUInt32BE(at + 6) };
  }
}

/**
 * A segment is a file of records, and stores the repeated sections of their documents once. It consists of frames. A frame
 * has two lengths (32 bits, big-endian), a head and a content. A record has a head in JSON, and its payload as the content;
 * a plain payload is stored compressed if that saves enough. A frame without a head is a block, to which later frames of the
 * same segment refer by offset: a compressed piece of a section, or a section, which is the list of its pieces. A segment
 * refers to no other file, so each can be removed by itself.
 */
import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Fault } from '#fault';
import { gunzipWithin } from '#limits';
import {
  type DividedDocument,
  divideDocument,
  type LeftOutSection,
  type LogRecord,
  restorePayload,
  storePayload,
  wholeDocument,
  wholeSection,
} from '#log';
import { commandsWithSections, documentSections } from '#wire';

type Head = Omit<LogRecord, 'partition' | 'payload' | 'parts'> & {
  readonly deflated?: true;
  readonly divided?: DividedHead;
};

/** The payload is the document without its sections, compressed. */
interface DividedHead {
  /** Bytes of the whole document. */
  readonly length: number;
  readonly sections: readonly {
    /** Offset in the rest of the document at which the section belongs. */
    readonly at: number;
    readonly length: number;
    /** Base64. */
    readonly sha256: string;
    /** Offset of the block of the section. */
    readonly block: number;
  }[];
}

/** Position of a block's content in the segment. */
interface BlockPlace {
  readonly offset: number;
  readonly length: number;
}

const prefixBytes = 8;
const entryBytes = 8;
const readAtOnce = 4 << 20;
const mostHeadBytes = 16 << 20;
const mostPayloadBytes = 512 << 20;

/** The content of a segment that is being written. */
export class SegmentContent {
  /** Bytes of all frames. */
  bytes = 0;
  /** By hash. */
  private readonly sections = new Map<string, number>();
  private readonly pieces = new Map<string, BlockPlace>();

  /** So many sections and so many pieces are remembered, in about 150 bytes each. Then they are stored again. */
  constructor(private readonly mostBlocks = 50_000) {}

  /** Returns the frames of a record: its new pieces and sections, then the record. */
  async add({ partition: _partition, payload, parts, ...head }: LogRecord): Promise<Buffer[]> {
    const isDivisible = commandsWithSections.includes(head.command);
    const document = parts ?? (isDivisible && divideDocument({ ...head, payload }, documentSections));
    if (document) return this.addDivided(head, document);
    const { value, deflated } = await storePayload(payload, head.encoding);
    return this.frame(JSON.stringify({ ...head, ...(deflated && { deflated }) }), value);
  }

  private async addDivided(head: Omit<Head, 'divided'>, document: DividedDocument): Promise<Buffer[]> {
    const frames: Buffer[] = [];
    const sections: DividedHead['sections'][number][] = [];
    for (const section of document.sections) {
      const { at, length, sha256 } = section;
      const block = await this.blockOf(section, document, frames);
      sections.push({ at, length, sha256: sha256.toString('base64'), block });
    }
    const divided: DividedHead = { length: document.length, sections };
    return [
      ...frames,
      ...this.frame(JSON.stringify({ ...head, encoding: 'identity', divided }), document.compressedRest),
    ];
  }

  private async blockOf(section: LeftOutSection, document: DividedDocument, frames: Buffer[]): Promise<number> {
    const key = section.sha256.toString('latin1');
    const known = this.sections.get(key);
    if (known !== undefined) return known;
    const places = (await document.pieces(section)).map((piece) => this.placeOf(piece, frames));
    const list = Buffer.alloc(places.length * entryBytes);
    places.forEach(({ offset, length }, index) => {
      list.writeUInt32BE(offset, index * entryBytes);
      list.writeUInt32BE(length, index * entryBytes + 4);
    });
    const block = this.bytes;
    frames.push(...this.frame('', list));
    remember(this.sections, key, block, this.mostBlocks);
    return block;
  }

  private placeOf(piece: Buffer, frames: Buffer[]): BlockPlace {
    const key = hash('sha256', piece, 'buffer').toString('latin1');
    let place = this.pieces.get(key);
    if (place === undefined) {
      place = { offset: this.bytes + prefixBytes, length: piece.length };
      frames.push(...this.frame('', piece));
      remember(this.pieces, key, place, this.mostBlocks);
    }
    return place;
  }

  private frame(head: string, content: Buffer): Buffer[] {
    const text = Buffer.from(head);
    const prefix = Buffer.alloc(prefixBytes);
    prefix.writeUInt32BE(text.length, 0);
    prefix.writeUInt32BE(content.length, 4);
    this.bytes += prefixBytes + text.length + content.length;
    return [prefix, text, content];
  }
}

function remember<T>(known: Map<string, T>, key: string, value: T, most: number): void {
  if (known.size >= most) known.clear();
  known.set(key, value);
}

/** Yields the records of a segment. Throws `backup.damaged` if the file is damaged or incomplete. */
export async function* readSegment(path: string, partition: number): AsyncGenerator<LogRecord> {
  const file = await open(path, 'r');
  let held: Buffer = Buffer.alloc(0);
  let position = 0;
  /** Reads until `bytes` bytes are buffered. Returns false at the end of the file. */
  const have = async (bytes: number): Promise<boolean> => {
    const parts = [held];
    let length = held.length;
    while (length < bytes) {
      const size = Math.max(readAtOnce, bytes - length);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      parts.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    if (parts.length > 1) held = Buffer.concat(parts);
    return length >= bytes;
  };
  try {
    while (await have(1)) {
      if (!(await have(prefixBytes))) throw damaged(path);
      const [head, content] = [held.readUInt32BE(0), held.readUInt32BE(4)];
      if (head > mostHeadBytes || content > mostPayloadBytes) throw damaged(path);
      const end = prefixBytes + head + content;
      if (!(await have(end))) throw damaged(path);
      if (head > 0) yield await recordOf(file, held.subarray(prefixBytes, end), head, partition, path);
      held = held.subarray(end);
    }
  } finally {
    await file.close();
  }
}

async function recordOf(
  file: FileHandle,
  bytes: Buffer,
  headBytes: number,
  partition: number,
  path: string,
): Promise<LogRecord> {
  try {
    const { deflated = false, divided, ...head } = JSON.parse(bytes.toString('utf8', 0, headBytes)) as Head;
    const stored = bytes.subarray(headBytes);
    if (divided !== undefined) return { ...head, partition, payload: await readDivided(file, divided, stored) };
    // Copies the value, because otherwise it would keep the whole buffer in memory.
    return { ...head, partition, payload: await restorePayload({ value: Buffer.from(stored), deflated }) };
  } catch (cause) {
    throw damaged(path, cause);
  }
}

async function readDivided(file: FileHandle, { length, sections }: DividedHead, rest: Buffer): Promise<Buffer> {
  const whole: { at: number; bytes: Buffer }[] = [];
  for (const { at, length: bytes, sha256, block } of sections) {
    const pieces = await readPieces(file, block);
    whole.push({ at, bytes: wholeSection({ length: bytes, sha256: Buffer.from(sha256, 'base64') }, pieces) });
  }
  return wholeDocument(await gunzipWithin(rest, mostPayloadBytes), length, whole);
}

/** Reads the pieces of a section. Pieces that are next to each other are read together. */
async function readPieces(file: FileHandle, block: number): Promise<Buffer[]> {
  const prefix = await readAt(file, block, prefixBytes);
  const list = await readAt(file, block + prefixBytes, prefix.readUInt32BE(4));
  const places: BlockPlace[] = [];
  for (let at = 0; at < list.length; at += entryBytes) {
    places.push({ offset: list.readUInt32BE(at), length: list.readUInt32BE(at + 4) });
  }
  const pieces: Buffer[] = [];
  for (let first = 0; first < places.length;) {
    const { offset: start, length } = places[first]!;
    let [next, end] = [first + 1, start + length];
    for (; places[next]?.offset === end + prefixBytes; next++) end += prefixBytes + places[next]!.length;
    const bytes = await readAt(file, start, end - start);
    for (const place of places.slice(first, next)) {
      pieces.push(bytes.subarray(place.offset - start, place.offset - start + place.length));
    }
    first = next;
  }
  return pieces;
}

/** Throws a RangeError if the file ends before. */
async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  if (length > mostPayloadBytes) throw new RangeError(`no block has ${length} bytes`);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead !== length) throw new RangeError(`the block at ${offset} has ${bytesRead} bytes, not ${length}`);
  return buffer;
}

const damaged = (path: string, cause?: unknown): Fault =>
  new Fault('broken', 'backup.damaged', `${path} is no whole segment of a log`, {
    hint: 'It was changed after the backup. Use another copy of the backup.',
    cause,
  });

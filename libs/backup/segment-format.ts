/**
 * A segment is a file of records. Each record has two lengths (32 bits, big-endian), a head in JSON, and the payload.
 * An uncompressed payload is compressed if this saves enough space. Large sections that several documents can share are
 * not in the segment, but in a file of blocks.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { Fault } from '#fault';
import { gunzipWithin } from '#limits';
import { divideDocument, type LogRecord, restorePayload, storePayload, wholeDocument, wholeSection } from '#log';
import { commandsWithSections, documentSections } from '#wire';
import { type BlockFile, type BlockRange, readList } from './block-file';

type Head = Omit<LogRecord, 'partition' | 'payload' | 'parts'> & {
  readonly deflated?: true;
  readonly divided?: DividedHead;
};

/**
 * Part of the head of a record whose document was divided. The sections are in the file of blocks, and the payload of
 * the record is the remaining text of the document, compressed.
 */
interface DividedHead {
  readonly length: number;
  readonly sections: readonly {
    /** Offset in the remaining text at which the section must be inserted. */
    readonly at: number;
    readonly length: number;
    /** Base64. */
    readonly sha256: string;
    /** Where the file of blocks contains the list of the section's pieces. */
    readonly list: BlockRange;
  }[];
}

const prefixBytes = 8;
const readAtOnce = 4 << 20;
const mostHeadBytes = 16 << 20;
const mostPayloadBytes = 512 << 20;

/**
 * Returns the bytes of a record. Adds the sections of its document to the file of blocks, unless the file already
 * contains them.
 */
export async function segmentBytes(
  { partition: _partition, payload, parts, ...head }: LogRecord,
  blocks: BlockFile,
): Promise<Buffer[]> {
  const isDivisible = commandsWithSections.includes(head.command);
  const document = parts ?? (isDivisible && divideDocument({ ...head, payload }, documentSections));
  if (!document) {
    const { value, deflated } = await storePayload(payload, head.encoding);
    return frame({ ...head, ...(deflated && { deflated }) }, value);
  }
  const sections: DividedHead['sections'][number][] = [];
  for (const section of document.sections) {
    const { at, length, sha256 } = section;
    const list = await blocks.rangeOf(section, document);
    sections.push({ at, length, sha256: sha256.toString('base64'), list });
  }
  return frame(
    { ...head, encoding: 'identity', divided: { length: document.length, sections } },
    document.compressedRest,
  );
}

function frame(head: Head, content: Buffer): Buffer[] {
  const text = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(text.length, 0);
  prefix.writeUInt32BE(content.length, 4);
  return [prefix, text, content];
}

/** Throws `backup.damaged` if the file is damaged or incomplete. */
export async function* readSegment(path: string, partition: number, blocksPath?: string): AsyncGenerator<LogRecord> {
  const file = await open(path, 'r');
  const blocks = blocksPath === undefined ? undefined : await open(blocksPath, 'r');
  let held: Buffer = Buffer.alloc(0);
  /** Reads until `held` has at least `bytes` bytes. Returns false at the end of the file. */
  const have = async (bytes: number): Promise<boolean> => {
    const parts = [held];
    let length = held.length;
    while (length < bytes) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(readAtOnce, bytes - length)));
      if (bytesRead === 0) break;
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
      yield await recordOf(blocks, held.subarray(prefixBytes, end), head, partition, path);
      held = held.subarray(end);
    }
  } finally {
    await file.close();
    await blocks?.close();
  }
}

async function recordOf(
  blocks: FileHandle | undefined,
  bytes: Buffer,
  headBytes: number,
  partition: number,
  path: string,
): Promise<LogRecord> {
  try {
    const { deflated = false, divided, ...head } = JSON.parse(bytes.toString('utf8', 0, headBytes)) as Head;
    const stored = bytes.subarray(headBytes);
    if (divided !== undefined) return { ...head, partition, payload: await readDivided(blocks, divided, stored) };
    // Copies the value, because a slice would keep the whole buffer in memory.
    return { ...head, partition, payload: await restorePayload({ value: Buffer.from(stored), deflated }) };
  } catch (cause) {
    throw damaged(path, cause);
  }
}

async function readDivided(
  blocks: FileHandle | undefined,
  { length, sections }: DividedHead,
  rest: Buffer,
): Promise<Buffer> {
  if (blocks === undefined) throw new RangeError('the segment has no file of blocks');
  const whole: { at: number; bytes: Buffer }[] = [];
  for (const { at, length: bytes, sha256, list } of sections) {
    const pieces = await readPieces(blocks, list);
    whole.push({ at, bytes: wholeSection({ length: bytes, sha256: Buffer.from(sha256, 'base64') }, pieces) });
  }
  return wholeDocument(await gunzipWithin(rest, mostPayloadBytes), length, whole);
}

/** Reads adjacent pieces together. */
async function readPieces(blocks: FileHandle, list: BlockRange): Promise<Buffer[]> {
  const ranges = [...readList(await readAt(blocks, list))];
  const pieces: Buffer[] = [];
  for (let first = 0; first < ranges.length;) {
    const { offset, length } = ranges[first]!;
    let [next, end] = [first + 1, offset + length];
    for (; ranges[next]?.offset === end; next++) end += ranges[next]!.length;
    const bytes = await readAt(blocks, { offset, length: end - offset });
    for (const range of ranges.slice(first, next)) {
      pieces.push(bytes.subarray(range.offset - offset, range.offset - offset + range.length));
    }
    first = next;
  }
  return pieces;
}

/** Throws a RangeError if the file ends before the end of the range. */
async function readAt(blocks: FileHandle, { offset, length }: BlockRange): Promise<Buffer> {
  if (length > mostPayloadBytes) throw new RangeError(`no block has ${length} bytes`);
  const { buffer, bytesRead } = await blocks.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead !== length) throw new RangeError(`the block at ${offset} has ${bytesRead} bytes, not ${length}`);
  return buffer;
}

const damaged = (path: string, cause?: unknown): Fault =>
  new Fault('broken', 'backup.damaged', `${path} is no whole segment of a log`, {
    hint: 'It was changed after the backup. Use another copy of the backup.',
    cause,
  });

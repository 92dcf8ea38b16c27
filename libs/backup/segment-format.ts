/**
 * A segment is a file of records. Each record has two lengths (32 bits, big-endian), a head in JSON, and the payload. A
 * plain payload is stored compressed if compression saves enough.
 */
import { open } from 'node:fs/promises';
import { Fault } from '#fault';
import { restorePayload, storePayload, type LogRecord } from '#log';

type Head = Omit<LogRecord, 'partition' | 'payload'> & { readonly deflated?: true };

const prefixBytes = 8;
const readAtOnce = 4 << 20;
const mostHeadBytes = 16 << 20;
const mostPayloadBytes = 512 << 20;

export async function segmentBytes({ partition: _partition, payload, ...head }: LogRecord): Promise<Buffer[]> {
  const { value, deflated } = await storePayload(payload, head.encoding);
  const text = Buffer.from(JSON.stringify({ ...head, ...(deflated && { deflated }) }));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(text.length, 0);
  prefix.writeUInt32BE(value.length, 4);
  return [prefix, text, value];
}

/** Yields the records of a segment. Throws `backup.damaged` (broken) if the file is damaged or incomplete. */
export async function* readSegment(path: string, partition: number): AsyncGenerator<LogRecord> {
  const file = await open(path, 'r');
  let held: Buffer = Buffer.alloc(0);
  /** Reads until `bytes` bytes are buffered. Returns false at the end of the file. */
  const have = async (bytes: number): Promise<boolean> => {
    const pieces = [held];
    let length = held.length;
    while (length < bytes) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(readAtOnce, bytes - length)));
      if (bytesRead === 0) break;
      pieces.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    if (pieces.length > 1) held = Buffer.concat(pieces);
    return length >= bytes;
  };
  try {
    while (await have(1)) {
      if (!(await have(prefixBytes))) throw damaged(path);
      const [head, payload] = [held.readUInt32BE(0), held.readUInt32BE(4)];
      if (head > mostHeadBytes || payload > mostPayloadBytes) throw damaged(path);
      const end = prefixBytes + head + payload;
      if (!(await have(end))) throw damaged(path);
      yield await recordOf(held.subarray(prefixBytes, end), head, partition, path);
      held = held.subarray(end);
    }
  } finally {
    await file.close();
  }
}

async function recordOf(bytes: Buffer, headBytes: number, partition: number, path: string): Promise<LogRecord> {
  try {
    const { deflated = false, ...head } = JSON.parse(bytes.toString('utf8', 0, headBytes)) as Head;
    // Copies the value, because a slice would keep the whole buffer in memory.
    const value = Buffer.from(bytes.subarray(headBytes));
    return { ...head, partition, payload: await restorePayload({ value, deflated }) };
  } catch (cause) {
    throw damaged(path, cause);
  }
}

const damaged = (path: string, cause?: unknown): Fault =>
  new Fault('broken', 'backup.damaged', `${path} is no whole segment of a log`, {
    hint: 'It was changed after the backup. Use another copy of the backup.',
    cause,
  });

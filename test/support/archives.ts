/** Makes archives for specs: valid ones, as an export writes them, and malformed or hostile ones. */
import { gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';

export interface MadeEntry extends Partial<Header> {
  readonly name: string;
  /** A value is written as JSON. */
  readonly content?: unknown;
}

export const currentVersions = {
  replace_facts: 5,
  replace_catalog: 9,
  store_report: 8,
  configure_expiration: 1,
  replace_catalog_inputs: 1,
};

export const metadata = (versions: object = currentVersions, root = 'puppetdb-bak'): MadeEntry => ({
  name: `${root}/export-metadata.json`,
  content: { timestamp: '2026-01-01T00:00:00.000Z', command_versions: versions },
});

const bytesOf = (content: unknown): Buffer =>
  Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content ?? ''));

/** A tar file. */
export async function tarOf(entries: readonly MadeEntry[]): Promise<Buffer> {
  const tar = pack();
  const parts: Buffer[] = [];
  const read = (async () => {
    for await (const part of tar as AsyncIterable<Buffer>) parts.push(part);
  })();
  for (const { content, ...header } of entries) {
    const holds = header.type === undefined || header.type === 'file';
    if (holds) tar.entry({ ...header }, content === undefined ? '' : bytesOf(content));
    else tar.entry({ ...header });
  }
  tar.finalize();
  await read;
  return Buffer.concat(parts);
}

export const archiveOf = async (entries: readonly MadeEntry[]): Promise<Buffer> => gzipSync(await tarOf(entries));

/** One raw block of tar, with the fields that a hostile one may have. */
export function tarBlock({
  name,
  type = '0',
  size = 0,
  rawSize,
}: {
  readonly name: string;
  readonly type?: string;
  readonly size?: number;
  /** Twelve bytes, instead of the size in octal. */
  readonly rawSize?: Buffer;
}): Buffer {
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  if (rawSize === undefined) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else rawSize.copy(block, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Content filled up to whole blocks. */
export const inBlocks = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);

/** A base-256 size, as GNU tar writes one that octal has no room for. */
export function largeSize(size: bigint): Buffer {
  const field = Buffer.alloc(12);
  field[0] = 0x80;
  field.writeBigUInt64BE(size, 4);
  return field;
}

export interface Multipart {
  readonly body: Buffer;
  readonly contentType: string;
}

/** A multipart body with one part, as `curl -F archive=@FILE` sends it. */
export function multipart(
  archive: Buffer,
  { name = 'archive', type = 'form-data', boundary = '----nodeledger' } = {},
): Multipart {
  const head = `--${boundary}\r\nContent-Disposition: ${type === 'mixed' ? 'attachment' : 'form-data'}; name="${name}"; filename="a.tgz"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), archive, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/${type}; boundary=${boundary}`,
  };
}

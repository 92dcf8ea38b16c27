import { Dicer } from '@fastify/busboy';
import { excerpt, Fault } from '#fault';

const mostOtherBytes = 1_000_000;
/** Some more characters than the 70 that RFC 2046 allows. */
const longestBoundary = 200;
const mostHeaderPairs = 100;

const asCurl =
  'Send it as `curl -F archive=@FILE URL/pdb/admin/v1/archive` does: a multipart body with a part `archive`.';

const wrongForm = (message: string, status = 400): Fault =>
  new Fault('malformed', 'import.form', message, { hint: asCurl, details: { status } });

/** Throws `import.form` if the Content-Type has no boundary. The status is 415 if the media type is not multipart. */
export function readBoundary(contentType: string | undefined): string {
  const [mediaType = '', ...parameters] = (contentType ?? '').split(';');
  const type = mediaType.trim().toLowerCase();
  if (type !== 'multipart/form-data' && type !== 'multipart/mixed') {
    const found =
      contentType === undefined ? 'no Content-Type' : `Content-Type ${JSON.stringify(excerpt(contentType))}`;
    throw wrongForm(`The request has ${found}; multipart/form-data or multipart/mixed is needed.`, 415);
  }
  const given = /(?:^|;)\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(parameters.join(';'));
  const boundary = given?.[1] ?? given?.[2] ?? '';
  if (boundary === '') throw wrongForm('The Content-Type names no boundary.');
  if (boundary.length > longestBoundary)
    throw wrongForm(
      `The boundary of the Content-Type has ${boundary.length} characters; at most ${longestBoundary} are allowed.`,
    );
  return boundary;
}

/**
 * Yields the bytes of the part `archive`. Reads the next piece of the body only when all bytes from the previous piece
 * have been yielded, so that memory does not grow with the archive. Throws `import.form` if the body is incomplete, or
 * does not have exactly one part `archive`.
 */
export async function* archivePart(
  pieces: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer, void, undefined> {
  const body = new MultipartBody(boundary);
  for await (const piece of pieces) {
    await body.write(piece);
    yield* body.taken();
  }
  await body.end();
  yield* body.taken();
}

class MultipartBody {
  private readonly dicer: Dicer;
  /** Resolves when the parser has read the end of the body, possibly before `end` is called. */
  private readonly over: Promise<void>;
  private found: Buffer[] = [];
  private failure: Fault | undefined;
  private archives = 0;
  private bytes = 0;
  private archiveBytes = 0;
  private open = 0;
  private whenClosed: (() => void) | undefined;

  constructor(boundary: string) {
    this.dicer = new Dicer({ boundary, maxHeaderPairs: mostHeaderPairs });
    this.dicer.on('part', (part: Dicer.PartStream) => this.read(part));
    this.over = new Promise((resolve) => {
      this.dicer.once('finish', resolve);
      this.dicer.on('error', () => {
        this.fail(cutOff());
        resolve();
      });
    });
  }

  taken(): Buffer[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  async write(piece: Buffer): Promise<void> {
    this.bytes += piece.length;
    const taken = new Promise<void>((resolve) => this.dicer.write(piece, () => resolve()));
    // Also stops at the end of the body, because the parser may never acknowledge the piece that contains the end.
    await Promise.race([taken, this.over]);
    this.check();
    // Allows one more piece, because the parser may still keep the last piece.
    if (this.bytes - this.archiveBytes > mostOtherBytes + piece.length)
      throw wrongForm(`The body has more than ${mostOtherBytes} bytes that are not of the archive.`);
  }

  async end(): Promise<void> {
    this.dicer.end();
    await this.over;
    this.check();
    if (this.open > 0) await new Promise<void>((resolve) => (this.whenClosed = resolve));
    this.check();
    if (this.archives === 0) throw wrongForm('The body has no part named `archive`.');
  }

  private read(part: Dicer.PartStream): void {
    let isArchive = false;
    this.open += 1;
    part.on('header', (header: object) => {
      isArchive = nameOf(header as PartHeader) === 'archive';
      if (isArchive && ++this.archives > 1) this.fail(wrongForm('The body has more than one part named `archive`.'));
    });
    part.on('data', (data: Buffer | string) => {
      if (!isArchive || !Buffer.isBuffer(data)) return;
      this.found.push(data);
      this.archiveBytes += data.length;
    });
    part.on('error', () => this.fail(cutOff()));
    part.once('close', () => {
      this.open -= 1;
      if (this.open === 0) this.whenClosed?.();
    });
  }

  private fail(fault: Fault): void {
    this.failure ??= fault;
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

type PartHeader = Readonly<Record<string, readonly string[]>>;

/** Accepts every disposition, because multipart/mixed does not require `form-data`. */
function nameOf(header: PartHeader): string | undefined {
  const disposition = header['content-disposition']?.[0] ?? '';
  const named = /;\s*name=(?:"([^"]*)"|([^;\s]*))/i.exec(disposition);
  return named?.[1] ?? named?.[2];
}

const cutOff = (): Fault => wrongForm('The multipart body is cut off.');

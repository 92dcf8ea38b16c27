/**
 * Sends an archive as fast as the service reads it. The service can refuse the archive before it has received the whole
 * archive.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { refused } from '../ask-service';
import { HttpClient, type ServiceFlags } from '../http-client';

/**
 * Returns the counts in the service's answer, such as `documents=12, known=0, passed-over=0`. `pieces` yields the bytes
 * of the tar.gz file. Throws `cli.refused`, the faults of `HttpClient`, and the errors that `pieces` throws.
 */
export async function sendArchive(
  service: ServiceFlags,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<string> {
  const boundary = `nodeledger-${randomUUID()}`;
  const body = Readable.from(inPart(pieces, boundary));
  let broken: unknown;
  body.on('error', (error) => (broken = error));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  try {
    const answer = await new HttpClient(service).open('POST', '/pdb/admin/v1/archive', { headers, body, signal });
    const message = await text(answer);
    if (answer.statusCode !== 200) throw refused(message, answer.statusCode ?? 0);
    return String(answer.headers['x-nodeledger-imported'] ?? '');
  } catch (error) {
    throw broken ?? error;
  } finally {
    body.destroy();
  }
}

async function* inPart(pieces: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="archive"; filename="archive.tgz"\r\n` +
      'Content-Type: application/gzip\r\n\r\n',
  );
  yield* pieces;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

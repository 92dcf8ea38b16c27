/**
 * Sends an archive to a running service, as fast as the service accepts it. Faults: those of HttpClient, and
 * `cli.refused` (malformed) with the message of the service, which may arrive before the whole archive is sent.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { refused } from '../ask-service';
import { HttpClient, type ServiceFlags } from '../http-client';

/**
 * Returns the counts of the service: `documents=12, known=0, passed-over=0`. `pieces` are the bytes of the tar.gz file;
 * errors of reading them are thrown.
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

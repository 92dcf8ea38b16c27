/**
 * Sends an archive to a running service, as fast as the service takes it. Faults: `cli.unreachable` (busy), `cli.refused`
 * (malformed), with the service's own words, which may come long before everything is sent.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tokenHeaders } from '#config';
import { Fault } from '#fault';
import { defaultUrl, said } from '../ask-service';

export interface Sent {
  /** As the service says it: `documents=12, known=0, passed-over=0`. */
  readonly imported: string;
}

/** `pieces`: of the tar.gz file. */
export async function sendArchive(url: string, pieces: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Sent> {
  const boundary = `nodeledger-${randomUUID()}`;
  const address = new URL(`${url.replace(/\/+$/, '')}/pdb/admin/v1/archive`);
  const send = address.protocol === 'https:' ? overHttps : overHttp;
  const request = send(address, {
    method: 'POST',
    headers: { ...tokenHeaders(), 'content-type': `multipart/form-data; boundary=${boundary}` },
    signal,
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const failed = new Promise<never>((_resolve, reject) => {
    request.on('error', (cause) => {
      if (signal.aborted) reject(cause);
      reject(
        new Fault('busy', 'cli.unreachable', `no service answers at ${url}, or the connection broke`, {
          hint: `Start it, or name its address: --url ${defaultUrl}. Repeat the import: what is stored already is not stored again.`,
          cause,
        }),
      );
    });
  });
  failed.catch(() => undefined);
  answered.catch(() => undefined);
  const body = Readable.from(inPart(pieces, boundary));
  let broken: unknown;
  body.on('error', (error) => {
    broken = error;
    request.destroy(error);
  });
  body.pipe(request);
  try {
    const [answer] = await Promise.race([answered, failed]);
    body.unpipe(request);
    const words = await text(answer);
    if (answer.statusCode !== 200) throw new Fault('malformed', 'cli.refused', said(words, answer.statusCode ?? 0));
    return { imported: String(answer.headers['x-nodeledger-imported'] ?? '') };
  } catch (error) {
    throw broken ?? error;
  } finally {
    body.destroy();
    request.destroy();
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

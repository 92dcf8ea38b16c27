/**
 * Checks the checksums that clients send with commands. A checksum is the SHA-1 of the decompressed payload, in
 * hexadecimal digits. The terminus of PuppetDB 7 instead hashes a text that contains command, version, certname and
 * payload.
 */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { inflate } from '#wire';
import { invalid } from './envelope';
import type { Submission } from './submission';

/** Number of bytes that are hashed before other requests can run. */
const sliceBytes = 1 << 20;
const inflateBytes = 64 << 10;

/** Throws `wire.too-large` or `wire.gzip`. */
export async function checksumMatches(
  submission: Submission & { readonly checksum: string },
  maxBytes: number,
): Promise<boolean> {
  const sent = submission.checksum.toLowerCase();
  if (!/^[0-9a-f]{40}$/.test(sent)) return false;
  // Tries the text of PuppetDB's terminus first, because most clients use it. Only the checksums of other clients need
  // a second pass.
  for (const [before, after] of [[envelopeStart(submission), '}'], noEnvelope] as const) {
    if ((await sha1Around(before, submission, after, maxBytes)) === sent) return true;
  }
  return false;
}

const noEnvelope = ['', ''] as const;

export const checksumRefused = (submission: Submission & { readonly checksum: string }): Error =>
  invalid(
    submission,
    'The checksum is neither the SHA-1 of the payload nor that of the command that the payload is part of.',
  );

/** Returns the text that PuppetDB's terminus puts before the payload. The name of the command contains spaces. */
const envelopeStart = ({ command, version, certname }: Submission): string =>
  `{"command":${JSON.stringify(command)},"version":${version},"certname":${JSON.stringify(certname)},"payload":`;

async function sha1Around(
  before: string,
  { payload, encoding }: Submission,
  after: string,
  maxBytes: number,
): Promise<string> {
  const sha1 = createHash('sha1').update(before);
  let bytes = 0;
  try {
    for await (const chunk of encoding === 'gzip' ? inflated(payload) : slices(payload)) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      sha1.update(chunk);
    }
  } catch {
    bytes = Infinity;
  }
  // If the payload is invalid or too large, decompresses it again, because `inflate` throws the same fault as the
  // projector.
  if (bytes > maxBytes) await inflate(payload, encoding, maxBytes);
  return sha1.update(after).digest('hex');
}

async function* slices(payload: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < payload.length; start += sliceBytes) {
    if (start > 0) await turn();
    yield payload.subarray(start, start + sliceBytes);
  }
}

async function* inflated(payload: Buffer): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: inflateBytes });
  gunzip.end(payload);
  yield* gunzip as AsyncIterable<Buffer>;
}

import { createHash } from 'node:crypto';
import { inflate } from '#wire';
import { invalid } from './envelope';
import type { Submission } from './submission';

/**
 * Holds a payload against the checksum that came with it, if one did: SHA-1 over the inflated bytes.
 * Faults: `command.invalid` where they differ; those of inflating.
 */
export async function verifyChecksum(submission: Submission, maxBytes: number): Promise<void> {
  if (submission.checksum === undefined) return;
  const payload = await inflate(submission.payload, submission.encoding, maxBytes);
  const actual = createHash('sha1').update(payload).digest('hex');
  if (actual !== submission.checksum.toLowerCase()) {
    throw invalid(
      submission,
      `The checksum ${JSON.stringify(submission.checksum)} is not the SHA-1 of the payload, which is ${actual}.`,
    );
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { DocumentAnonymizer } from '../anonymize/document-anonymizer';
import { type AnonymizationProfile, rulesOf } from '../anonymize/profiles';

/**
 * Uses a random key, so that nobody can verify guessed values. With a `seed` (a secret), equal documents give equal
 * archives.
 */
export function anonymizer(profile: AnonymizationProfile, seed?: string): DocumentAnonymizer | undefined {
  if (profile === 'none') return undefined;
  const key = seed === undefined ? randomBytes(32) : createHash('sha256').update(seed).digest();
  return new DocumentAnonymizer(profile, rulesOf[profile], key);
}

import { createHash, randomBytes } from 'node:crypto';
import { DocumentAnonymizer } from '../anonymize/document-anonymizer';
import { type AnonymizationProfile, rulesOf } from '../anonymize/profiles';
import type { Anonymizer } from './export-archive';

/**
 * Uses a random key, so that nobody can verify guessed values. With a `seed` (a secret), equal documents give equal
 * archives.
 */
export function anonymizer(profile: AnonymizationProfile, seed?: string): Anonymizer | undefined {
  if (profile === 'none') return undefined;
  const key = seed === undefined ? randomBytes(32) : createHash('sha256').update(seed).digest();
  const documents = new DocumentAnonymizer(profile, rulesOf[profile], key);
  return {
    profile,
    certname: (certname) => documents.certname(certname),
    document: (entry) => documents.document(entry),
  };
}

import { createHash, randomBytes } from 'node:crypto';

/** The prefix lets scanners for leaked secrets find tokens. */
const form = /^nlt_[A-Za-z0-9_-]{43}$/;

/** Returns a new token with 256 random bits. Nobody can guess it, so a plain hash is safe for storage. */
export const newSecret = (): string => `nlt_${randomBytes(32).toString('base64url')}`;

/** Returns the hexadecimal hash under which a token is stored, or undefined if the text cannot be a token. */
export const hashOf = (secret: string): string | undefined =>
  form.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined;

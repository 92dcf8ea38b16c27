import { createHash, randomBytes } from 'node:crypto';

/** The prefix lets scanners for leaked secrets find tokens. */
const form = /^nlt_[A-Za-z0-9_-]{43}$/;

/** A new token: 256 random bits. Nobody can guess one, so a plain hash is enough to store it. */
export const newSecret = (): string => `nlt_${randomBytes(32).toString('base64url')}`;

/** Returns the hash under which a token is stored, in hex. Undefined if the text cannot be a token. */
export const hashOf = (secret: string): string | undefined =>
  form.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined;

import { createHash, randomBytes } from 'node:crypto';

/** Scanners for leaked secrets find the prefixes. A session cannot be used as a token, because the prefixes differ. */
const prefixes = { token: 'nlt_', session: 'nls_' } as const;
export type SecretKind = keyof typeof prefixes;
const form = /^[A-Za-z0-9_-]{43}$/;

/** The secret has 256 random bits and cannot be guessed, so a plain hash without salt is safe for storage. */
export const newSecret = (kind: SecretKind = 'token'): string => prefixes[kind] + randomBytes(32).toString('base64url');

/** Returns the hexadecimal hash, or undefined if the text cannot be a secret of this kind. */
export const hashOf = (secret: string, kind: SecretKind = 'token'): string | undefined =>
  secret.startsWith(prefixes[kind]) && form.test(secret.slice(prefixes[kind].length))
    ? createHash('sha256').update(secret).digest('hex')
    : undefined;

import { createHash, randomBytes } from 'node:crypto';

/** Prefixes of secrets. Scanners for leaked secrets find them, and a session cannot be used as a token. */
const prefixes = { token: 'nlt_', session: 'nls_' } as const;
export type SecretKind = keyof typeof prefixes;
const form = /^[A-Za-z0-9_-]{43}$/;

/**
 * Returns a new secret with 256 random bits. The secret cannot be guessed, so a plain hash without salt is safe for
 * storage.
 */
export const newSecret = (kind: SecretKind = 'token'): string => prefixes[kind] + randomBytes(32).toString('base64url');

/**
 * Returns the hexadecimal hash under which a secret is stored. Returns undefined if the text cannot be a secret of this
 * kind.
 */
export const hashOf = (secret: string, kind: SecretKind = 'token'): string | undefined =>
  secret.startsWith(prefixes[kind]) && form.test(secret.slice(prefixes[kind].length))
    ? createHash('sha256').update(secret).digest('hex')
    : undefined;

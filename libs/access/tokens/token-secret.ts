import { createHash, randomBytes } from 'node:crypto';

/** The prefixes let scanners for leaked secrets find them, and keep a session from being used as a token. */
const prefixes = { token: 'nlt_', session: 'nls_' } as const;
export type SecretKind = keyof typeof prefixes;
const form = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new secret with 256 random bits. Nobody can guess it, so a plain hash is safe for storage. */
export const newSecret = (kind: SecretKind = 'token'): string => prefixes[kind] + randomBytes(32).toString('base64url');

/** Returns the hexadecimal hash under which a secret is stored, or undefined if the text cannot be a secret of this kind. */
export const hashOf = (secret: string, kind: SecretKind = 'token'): string | undefined =>
  secret.startsWith(prefixes[kind]) && form.test(secret.slice(prefixes[kind].length))
    ? createHash('sha256').update(secret).digest('hex')
    : undefined;

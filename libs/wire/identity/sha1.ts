import { hash } from 'node:crypto';

/** Returns the SHA-1 in lower-case hexadecimal digits. Hashes the UTF-8 bytes of a text. */
export const sha1 = (content: string | Uint8Array): string => hash('sha1', content);

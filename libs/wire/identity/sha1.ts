import { hash } from 'node:crypto';

/** Returns the SHA-1 of bytes, or of a text's UTF-8 bytes, in lower-case hexadecimal digits. */
export const sha1 = (content: string | Uint8Array): string => hash('sha1', content);

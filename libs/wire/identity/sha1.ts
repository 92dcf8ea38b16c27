import { hash } from 'node:crypto';

/** SHA-1 of a text's UTF-8 bytes, or of bytes, in lower-case hexadecimal digits. */
export const sha1 = (content: string | Uint8Array): string => hash('sha1', content);

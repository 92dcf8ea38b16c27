import { hash } from 'node:crypto';

/** SHA-1 of a text's UTF-8 bytes, in lower-case hexadecimal digits. */
export const sha1 = (text: string): string => hash('sha1', text);

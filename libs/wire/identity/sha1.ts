import { hash } from 'node:crypto';

export const sha1 = (content: string | Uint8Array): string => hash('sha1', content);

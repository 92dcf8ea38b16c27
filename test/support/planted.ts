import { randomBytes } from 'node:crypto';

/** Not a word of any output by chance, and still one after encoding a URL, JSON or SQL. */
const mark = `zq7${randomBytes(4).toString('hex')}`;

/** A secret of its own, wherever it is planted. The end of a name says where. */
export const planted = (where: string): string => `${mark}x${where.replaceAll(/[^A-Za-z0-9]/g, '')}`;

/** As a client sends it in `Authorization: Basic`. */
export const plantedBase64 = (where: string): string => Buffer.from(`user:${planted(where)}`).toString('base64');

/** What of the planted is in a text, plain or in base64; other than `allowed`. */
export function plantedIn(text: string, allowed?: string): string[] {
  const plain = [...text.matchAll(new RegExp(`${mark}\\w*`, 'g'))].map(([found]) => found);
  const basic = Buffer.from(`user:${mark}`).toString('base64').slice(0, 12);
  const found = [...plain, ...(text.includes(basic) ? [basic] : [])];
  return [...new Set(found)].filter(
    (one) => allowed === undefined || !(allowed.startsWith(one) || one.startsWith(allowed)),
  );
}

import { randomBytes } from 'node:crypto';

/** Never occurs by chance, and stays one word in a URL, JSON or SQL. */
const mark = `zq7${randomBytes(4).toString('hex')}`;

/** Returns a different secret for each place. Its last part names the place. */
export const planted = (where: string): string => `${mark}x${where.replaceAll(/[^A-Za-z0-9]/g, '')}`;

/** In the form of the header `Authorization: Basic`. */
export const plantedBase64 = (where: string): string => Buffer.from(`user:${planted(where)}`).toString('base64');

/** Returns the planted secrets in a text, plain or in base64, except those in `allowed`. */
export function plantedIn(text: string, allowed?: string): string[] {
  const plain = [...text.matchAll(new RegExp(`${mark}\\w*`, 'g'))].map(([found]) => found);
  const basic = Buffer.from(`user:${mark}`).toString('base64').slice(0, 12);
  const found = [...plain, ...(text.includes(basic) ? [basic] : [])];
  return [...new Set(found)].filter(
    (one) => allowed === undefined || !(allowed.startsWith(one) || one.startsWith(allowed)),
  );
}

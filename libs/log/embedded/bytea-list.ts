import { arrayLiteral } from '#database';

/** `starts` counts from 1, as `substring` in SQL does. */
export function joined(values: readonly Buffer[]): { starts: string; lengths: string; bytes: Buffer } {
  const starts: number[] = [];
  let length = 0;
  for (const value of values) {
    starts.push(length + 1);
    length += value.length;
  }
  return {
    starts: arrayLiteral(starts),
    lengths: arrayLiteral(values.map((value) => value.length)),
    bytes: Buffer.concat(values),
  };
}

export const bytesText = (bytes: Buffer | undefined): string | null =>
  bytes === undefined ? null : `\\x${bytes.toString('hex')}`;
export const hashTexts = (given: readonly { readonly hash: Buffer }[]): string =>
  arrayLiteral(given.map(({ hash }) => bytesText(hash)));

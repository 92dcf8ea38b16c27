import { arrayLiteral } from '#database';

/**
 * Joins values to one bytea parameter. Also returns for each value its position in the parameter (from 1) and its
 * length.
 */
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

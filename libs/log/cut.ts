export const mostPieceBytes = 16 << 10;
/** The smallest size of a piece, and how much larger the average piece is. Both in bytes (docs/decisions/0010). */
const [least, more] = [1 << 10, 3 << 10];
const looked = 48;

/**
 * Only the bytes before a boundary decide whether a piece ends there. So a changed element changes only the pieces
 * around it.
 */
export function* cut(bytes: Buffer, boundary: string): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    const end = start + pieceLength(bytes.subarray(start, start + mostPieceBytes), boundary);
    yield bytes.subarray(start, end);
    start = end;
  }
}

function pieceLength(bytes: Buffer, boundary: string): number {
  let before = bytes.lastIndexOf(boundary, least - 1, 'latin1') + boundary.length;
  for (let at = bytes.indexOf(boundary, least, 'latin1'); at !== -1; at = bytes.indexOf(boundary, before, 'latin1')) {
    const end = at + boundary.length;
    // The probability that the piece ends here is proportional to the length of the element.
    if (hashBefore(bytes, end) * more < (end - before) * 2 ** 32) return end;
    before = end;
  }
  return bytes.length;
}

function hashBefore(bytes: Buffer, end: number): number {
  let hash = 0;
  for (let at = Math.max(0, end - looked); at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

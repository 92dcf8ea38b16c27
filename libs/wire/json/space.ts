export function space(payload: Buffer, pos: number): number {
  while (payload[pos] === 0x20 || payload[pos] === 0x0a || payload[pos] === 0x0d || payload[pos] === 0x09) pos++;
  return pos;
}

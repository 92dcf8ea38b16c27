import { InvalidArgumentError } from 'commander';

export function readPositions(text: string): Map<number, number> {
  const positions = new Map<number, number>();
  for (const part of text.split(',')) {
    const [, partition, offset] = /^(\d{1,9})-(\d{1,15})$/.exec(part.trim()) ?? [];
    if (partition === undefined || offset === undefined) {
      throw new InvalidArgumentError('expected positions as partition-offset, separated by commas, such as 0-120,3-44');
    }
    if (positions.has(Number(partition))) throw new InvalidArgumentError(`partition ${partition} is named twice`);
    positions.set(Number(partition), Number(offset));
  }
  return positions;
}

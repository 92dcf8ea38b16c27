import type { Position } from '#log';

/** A retry contains the name of its dead letter in this header. Clients cannot set this header. */
export const retryHeader = 'retry-of';

/** Returns the name of a dead letter in URLs and headers: partition and offset, such as `3-17`. */
export const letterName = ({ partition, offset }: Position): string => `${partition}-${offset}`;

export function readLetterName(name: string): Position | undefined {
  const found = /^(0|[1-9]\d{0,8})-(0|[1-9]\d{0,14})$/.exec(name);
  return found === null ? undefined : { partition: Number(found[1]), offset: Number(found[2]) };
}

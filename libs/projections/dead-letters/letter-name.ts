import type { Position } from '#log';

/** Header of a record that retries a dead letter: the letter's name. Clients cannot set it. */
export const retryHeader = 'retry-of';

/** Tells who keeps something made from the letters that they have changed. The payload says nothing. */
export const lettersChannel = 'nodeledger_dead_letters';

/** A letter's name in URLs, file names and headers: partition and offset, as `3-17`. */
export const letterName = ({ partition, offset }: Position): string => `${partition}-${offset}`;

/** The position that a name stands for; undefined for a text that is no name. */
export function readLetterName(name: string): Position | undefined {
  const found = /^(0|[1-9]\d{0,8})-(0|[1-9]\d{0,14})$/.exec(name);
  return found === null ? undefined : { partition: Number(found[1]), offset: Number(found[2]) };
}

/** A slice of a text would keep the whole text in memory, but this copy does not. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();

/** Copies a text. A slice of a text would keep the whole text in memory, but a copy does not. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();

/** Returns the same text with its own characters. A slice keeps the whole text that it was cut from in memory. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();

/** Columns of a terminal that does not report its width. */
const unknownWidth = 80;

export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns || unknownWidth : undefined;

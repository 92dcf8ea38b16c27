/** For terminals that do not report their width. */
const unknownWidth = 80;

/** The width of the terminal in characters; undefined if the output goes to a file or a program. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns || unknownWidth : undefined;

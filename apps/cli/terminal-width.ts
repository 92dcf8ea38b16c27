/** Width of a terminal that does not report one. */
const unknownWidth = 80;

/** Returns the width of the terminal in characters, or undefined if the output goes to a file or a program. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns || unknownWidth : undefined;

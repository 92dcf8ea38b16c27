/** Width that is assumed if a terminal does not report its width, in columns. */
const unknownWidth = 80;

/** Returns the number of columns of the terminal, or undefined if the output goes to a file or a program. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns || unknownWidth : undefined;

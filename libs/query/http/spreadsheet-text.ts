/** Texts that spreadsheet programs take for a formula: `=1+1`, `+1+1`, `@SUM(1)`. A plain number is none. */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/;

/** Returns the text of a cell that no spreadsheet program takes for a formula: with an apostrophe first where it needs one. */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

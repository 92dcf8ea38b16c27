/** Matches texts that spreadsheet programs evaluate as a formula: `=1+1`, `+1+1`, `@SUM(1)`, but not a plain number. */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/;

/** Returns the text of a cell, with an apostrophe first if a spreadsheet program would evaluate it as a formula. */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/**
 * Texts that spreadsheet programs evaluate as a formula, such as `=1+1` or `@SUM(1)`. Does not match numbers with a
 * sign.
 */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/;

/** Puts an apostrophe before a text that a spreadsheet program would evaluate as a formula. */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/**
 * Texts that spreadsheet programs evaluate as a formula, such as `=1+1` or `@SUM(1)`. Does not match numbers with a
 * sign.
 */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/;

export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

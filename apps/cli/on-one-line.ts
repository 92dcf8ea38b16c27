/**
 * Replaces line breaks and other control characters by spaces. Use it for text from clients, because control characters
 * in such a text could control the terminal.
 */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** Replaces control characters except line breaks and tabs by spaces. */
export const onLines = (text: string): string =>
  text.replaceAll(/(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

/** Escapes the control characters that JSON text may contain unescaped. The values in the JSON stay the same. */
export const plainJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/**
 * Replaces control characters by a space. Text from clients needs this function, because control characters could
 * control the terminal.
 */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** Keeps line breaks and tabs, and replaces each other control character by a space. */
export const onLines = (text: string): string =>
  text.replaceAll(/(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

/** Escapes the control characters that a JSON text can contain unescaped. The values in the JSON text stay the same. */
export const plainJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

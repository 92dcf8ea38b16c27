/**
 * Returns a text from outside in a form that is safe for a terminal: without line breaks and other control characters.
 */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** Returns a text of several lines without other control characters. */
export const onLines = (text: string): string =>
  text.replaceAll(/(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

/** Escapes control characters that JSON allows unescaped, except line breaks. The values stay the same. */
export const plainJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/** A text that came from outside, as a terminal may show it: without line breaks and other control characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** The same for a text of several lines. */
export const onLines = (text: string): string =>
  text.replaceAll(/(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

/** JSON without the control characters that JSON may have as they are, outside of its line breaks. The values stay the same. */
export const plainJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/** A text that came from outside, as a terminal may show it: without line breaks and other control characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

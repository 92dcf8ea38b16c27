const numbers = new Intl.NumberFormat('en');

export const count = (value: number): string => numbers.format(value);

/** "1 node", "2,412 nodes". */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

export const percent = (part: number, whole: number): string =>
  whole === 0
    ? '0 %'
    : `${part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, Math.round((part / whole) * 1000) / 10)) : Math.round((part / whole) * 100)} %`;

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Characters without a shape, and characters that change the direction of the text around them. */

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns the text with a visible sign for each control character and each mark of direction. */
export const visible = (text: string): string =>
  text.replace(unseen, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\u27e8${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });

/** Returns a value of a fact or parameter as text: strings unchanged, all other values as JSON. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns `<module>/manifests/…` of a path of a manifest, as people say it. */
export const shortFile = (file: string): string =>
  /(?:\/modules|\/site)\/(.+)$/.exec(file)?.[1] ?? file.split('/').slice(-3).join('/');

export const place = (file: string | null, line: number | null): string | undefined =>
  file === null ? undefined : `${shortFile(file)}${line === null ? '' : `:${line}`}`;

/** Returns the first words of a message, without its line breaks. */
export const excerpt = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

const numbers = new Intl.NumberFormat('en');

export const count = (value: number): string => numbers.format(value);

/** Returns a text such as "1 node" or "2,412 nodes". */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

export const countedRows = (rows: readonly unknown[] | undefined, noun: string): string | undefined =>
  rows && counted(rows.length, noun);

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

/** Invisible characters, and characters that change the direction of text. */

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const visible = (text: string): string =>
  text.replace(unseen, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\u27e8${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });

export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Shortens the path of a manifest to `<module>/manifests/…`. */
export const shortFile = (file: string): string =>
  /(?:\/modules|\/site)\/(.+)$/.exec(file)?.[1] ?? file.split('/').slice(-3).join('/');

export const fileAndLine = (file: string | null, line: number | null): string | undefined =>
  file === null ? undefined : `${shortFile(file)}${line === null ? '' : `:${line}`}`;

export const excerpt = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

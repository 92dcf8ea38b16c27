import { readTime } from '../../service/as-of';

export interface Side {
  readonly certname: string;
  /** ISO 8601, or another text that the service accepts as a moment. Undefined means the present. */
  readonly time: string | undefined;
}

/** Parses a side such as `web1.example.com@2026-11-19T14:10:00.000Z`. Uses `asOf` if the text has no time. */
export function readSide(text: string, asOf: string | undefined): Side {
  const at = text.indexOf('@');
  if (at === -1) return { certname: text, time: asOf };
  const time = text.slice(at + 1);
  return { certname: text.slice(0, at), time: time === 'now' || time === '' ? undefined : time };
}

/** Formats a side for the address. Always adds the time, because otherwise the link would mean another time later. */
export const writeSide = ({ certname, time }: Side): string => (certname === '' ? '' : `${certname}@${time ?? 'now'}`);

export const sideParameter = ({ certname, time }: Side): string =>
  time === undefined ? certname : `${certname}@${time}`;

/** Returns undefined for the present (an empty text or `now`), and null if the text is not a time. */
export function typedTime(typed: string): string | undefined | null {
  const text = typed.trim();
  return text === '' || text === 'now' ? undefined : (readTime(text) ?? null);
}

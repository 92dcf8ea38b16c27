import { readTime } from '../../service/as-of';

/** One of the two states in a comparison: a node at a time, or now. */
export interface Side {
  readonly certname: string;
  /** Time in ISO 8601, or as another text that the service accepts as a moment. Undefined for the present. */
  readonly time: string | undefined;
}

/**
 * Parses a side in the address, such as `web1.example.com@2026-11-19T14:10:00.000Z`. If the text has no time, uses the
 * time that the viewer looks at.
 */
export function readSide(text: string, asOf: string | undefined): Side {
  const at = text.indexOf('@');
  if (at === -1) return { certname: text, time: asOf };
  const time = text.slice(at + 1);
  return { certname: text.slice(0, at), time: time === 'now' || time === '' ? undefined : time };
}

/**
 * Formats a side as a parameter of the page's address. Always includes the time, so that the link keeps its meaning
 * when the viewer chooses another time.
 */
export const writeSide = ({ certname, time }: Side): string => (certname === '' ? '' : `${certname}@${time ?? 'now'}`);

/** Formats a side as a parameter of a request to the service. Omits the time if the side is the present. */
export const askedSide = ({ certname, time }: Side): string => (time === undefined ? certname : `${certname}@${time}`);

/**
 * Parses a time that the viewer typed. Returns undefined for the present, which is an empty text or `now`. Returns null
 * if the text is not a time.
 */
export function typedTime(typed: string): string | undefined | null {
  const text = typed.trim();
  return text === '' || text === 'now' ? undefined : (readTime(text) ?? null);
}

import type { IsoTime, JsonText } from '../documents';
import { eachElement } from '../check/elements';
import { kindAt, type Members } from '../check/members';
import { quoted } from '../check/problems';
import { isInteger } from '../json/numbers';

export function oneOf<K extends string>(members: Members<K>, name: K, values: readonly string[]): string {
  if (!members.has(name)) return '';
  const text = members.text(name);
  if (members.kind(name) === 'string' && !values.includes(text))
    members.wrong(name, `one of ${values.join(', ')}`, quoted(text));
  return text;
}

export function stringList<K extends string>(members: Members<K>, name: K): JsonText {
  if (!members.isArray(name, { of: ' of strings' })) return '[]';
  const { scan } = members;
  eachElement(scan, members.start(name), (pos) => {
    if (kindAt(scan.text, pos) !== 'string') members.wrong(name, 'an array of strings', 'one with other elements');
    return scan.skip(pos);
  });
  return members.raw(name);
}

/** Accepts strings and numbers, because the report format defines line numbers as strings, but agents send numbers. */
export function lineNumber<K extends string>(members: Members<K>, name: K): JsonText {
  const kind = members.kind(name);
  if (kind === undefined || kind === 'null') return 'null';
  const text = kind === 'string' ? members.text(name) : kind === 'number' ? members.raw(name) : '';
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return String(Number(text));
  members.wrong(name, 'a line number or null', kind === 'string' ? quoted(text) : undefined);
  return 'null';
}

/** Adds no problem if the member is absent, because `Members.open` already reports missing required members. */
export function sentTime<K extends string>(members: Members<K>, name: K, fallback: JsonText): JsonText {
  const time: IsoTime = members.strictTime(name);
  return time === '' ? fallback : members.raw(name);
}

export function checkNumber<K extends string>(
  members: Members<K>,
  name: K,
  { whole = false, nullable = false }: { readonly whole?: boolean; readonly nullable?: boolean } = {},
): void {
  const kind = members.kind(name);
  if (kind === undefined || (nullable && kind === 'null')) return;
  if (kind !== 'number' || (whole && !isInteger(members.raw(name))))
    members.wrong(name, whole ? 'an integer' : nullable ? 'a number or null' : 'a number');
}

/** Has the same message as the error in Java's JMX. */
export class MalformedName extends Error {}

interface Property {
  readonly key: string;
  /** The value of the property. In a pattern, it may contain `*` and `?`. */
  readonly value: string;
}

/**
 * The name of an MBean, `domain:key=value,key=value`, or a pattern of names. In the domain and in values, `*` matches
 * any text, and `?` matches one character. The property `*` matches any further properties.
 */
export class ObjectName {
  private readonly values: ReadonlyMap<string, string>;

  private constructor(
    readonly domain: string,
    properties: readonly Property[],
    private readonly isOpen: boolean,
  ) {
    this.values = new Map(properties.map(({ key, value }) => [key, value]));
  }

  /** Throws MalformedName if the text is not an object name. */
  static parse(text: string): ObjectName {
    const colon = text.indexOf(':');
    const list = colon < 0 ? '' : text.slice(colon + 1);
    if (list === '') throw new MalformedName('Invalid object name. Key properties cannot be empty');
    const parts = propertyTexts(list);
    if (parts.at(-1) === '') throw new MalformedName('Invalid object name. Invalid ending comma');
    const properties = parts.filter((part) => part !== '*').map(readProperty);
    const keys = new Set<string>();
    for (const { key } of properties) {
      if (keys.has(key)) throw new MalformedName(`Invalid object name. key \`${key}' already defined`);
      keys.add(key);
    }
    return new ObjectName(
      withoutStarRuns(text.slice(0, colon)),
      properties.sort(byKey),
      properties.length < parts.length,
    );
  }

  get isPattern(): boolean {
    return this.isOpen || hasWildcard(this.domain) || [...this.values.values()].some(hasWildcard);
  }

  /** The properties as text, sorted by key. */
  get propertyList(): string {
    const named = [...this.values].map(([key, value]) => `${key}=${value}`);
    return [...named, ...(this.isOpen ? ['*'] : [])].join(',');
  }

  toString(): string {
    return `${this.domain}:${this.propertyList}`;
  }

  matches(name: ObjectName): boolean {
    if (this.isOpen ? this.values.size > name.values.size : this.values.size !== name.values.size) return false;
    if (!fits(this.domain, name.domain)) return false;
    for (const [key, pattern] of this.values) {
      const value = name.values.get(key);
      if (value === undefined || !fits(pattern, value)) return false;
    }
    return true;
  }
}

const byKey = (a: Property, b: Property): number => (a.key < b.key ? -1 : 1);
/**
 * Replaces several adjacent `*` by one, which has the same meaning. After this, a pattern that matches a text is at
 * most twice as long as the text, plus 1.
 */
export const withoutStarRuns = (text: string): string => text.replace(/\*+/g, '*');
const hasWildcard = (text: string): boolean => text.includes('*') || text.includes('?');

/** Splits the properties at commas, but not at commas inside quotation marks. */
function propertyTexts(list: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at++;
    else if (character === ',' && !isQuoted) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(list.slice(from));
  return parts;
}

function readProperty(text: string): Property {
  const equals = text.indexOf('=');
  if (equals < 0) throw new MalformedName('Invalid object name. Unterminated key property part');
  if (equals === 0) throw new MalformedName('Invalid object name. Invalid key (empty)');
  return { key: text.slice(0, equals), value: withoutStarRuns(text.slice(equals + 1)) };
}

/**
 * Returns whether a text matches a pattern. The pattern must not contain `**`. A pattern that is too long to match the
 * text is not compared. So the time depends only on the length of the text, which is a name that the service has
 * chosen.
 */
export function fits(pattern: string, text: string): boolean {
  if (pattern.length > 2 * text.length + 1) return false;
  let [at, position] = [0, 0];
  let star = -1;
  let starPosition = 0;
  while (position < text.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      starPosition = position;
    } else if (wanted === '?' || wanted === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++starPosition;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

import { encodeString, unescapeString } from '#wire';

/** A number as text, because a conversion to a double could change it. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export type Json = string | JsonNumber | boolean | null | Json[] | JsonMap;
export type JsonMap = Map<string, Json>;

export const isMap = (value: Json | undefined): value is JsonMap => value instanceof Map;

/**
 * The text must be a canonical document, because the parser accepts no white space. The recursion is safe, because the
 * depth of documents is limited.
 */
export function readTree(text: string): Json {
  let pos = 0;
  const string = (): string => {
    const start = ++pos;
    for (;;) {
      const c = text.charCodeAt(pos);
      if (c === 0x22) return unescapeString(text.slice(start, pos++));
      pos += c === 0x5c ? 2 : 1;
    }
  };
  const value = (): Json => {
    switch (text.charCodeAt(pos)) {
      case 0x22:
        return string();
      case 0x7b: {
        const map: JsonMap = new Map();
        for (pos++; text.charCodeAt(pos) !== 0x7d;) {
          if (text.charCodeAt(pos) === 0x2c) pos++;
          const key = string();
          pos++;
          map.set(key, value());
        }
        pos++;
        return map;
      }
      case 0x5b: {
        const list: Json[] = [];
        for (pos++; text.charCodeAt(pos) !== 0x5d;) {
          if (text.charCodeAt(pos) === 0x2c) pos++;
          list.push(value());
        }
        pos++;
        return list;
      }
      default: {
        const start = pos;
        while (pos < text.length && !',]}'.includes(text[pos]!)) pos++;
        const token = text.slice(start, pos);
        return token === 'null' ? null : token === 'true' ? true : token === 'false' ? false : new JsonNumber(token);
      }
    }
  };
  return value();
}

export function writeTree(value: Json): string {
  if (typeof value === 'string') return encodeString(value);
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeTree).join()}]`;
  if (!isMap(value)) return String(value);
  const keys = [...value.keys()].sort();
  return `{${keys.map((key) => `${encodeString(key)}:${writeTree(value.get(key)!)}`).join()}}`;
}

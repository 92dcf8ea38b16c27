import { longestExcerpt } from '#fault';

/** A JSON number as text. A double could lose digits, and could not distinguish `1.0` from `1`. */
export class NumberText {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }
}

export type AstJson = null | boolean | string | NumberText | readonly AstJson[] | ReadonlyMap<string, AstJson>;

export const isList = (value: AstJson | undefined): value is readonly AstJson[] => Array.isArray(value);
export const isMap = (value: AstJson | undefined): value is ReadonlyMap<string, AstJson> => value instanceof Map;

/** Accepts parsed JSON, and values that already contain `NumberText`. */
export function fromPlain(value: unknown): AstJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof NumberText) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new NumberText(String(value));
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [String(key), fromPlain(one)]));
  if (typeof value === 'object') return new Map(Object.entries(value).map(([key, one]) => [key, fromPlain(one)]));
  return null;
}

const plainText = /^[ !#-[\]-~]*$/;

const stringifyText = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text));

export function stringifyAst(value: AstJson): string {
  if (typeof value === 'string') return stringifyText(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof NumberText) return value.text;
  // Appends to one text, because collecting the texts of the members in a list would take more memory: an answer can
  // have a million members.
  let text = '';
  if (isList(value)) {
    for (const one of value) text += `${text === '' ? '' : ','}${stringifyAst(one)}`;
    return `[${text}]`;
  }
  for (const [key, one] of value) text += `${text === '' ? '' : ','}${stringifyText(key)}:${stringifyAst(one)}`;
  return `{${text}}`;
}

/**
 * Formats a query for error messages in PuppetDB's style: spaces between elements, `nil` for null. Shortens the text to
 * `longestExcerpt` characters.
 */
export function displayAst(value: AstJson): string {
  const display = new Display();
  display.add(value);
  return display.text.length > longestExcerpt ? `${display.text.slice(0, longestExcerpt)}…` : display.text;
}

class Display {
  text = '';

  add(value: AstJson): void {
    if (value === null) this.text += 'nil';
    else if (value instanceof NumberText) this.text += value.text.slice(0, longestExcerpt + 1);
    else if (isList(value)) this.members('[', value, ' ', ']', (one) => this.add(one));
    else if (isMap(value)) {
      this.members('{', value, ', ', '}', ([key, one]) => {
        this.text += `${JSON.stringify(key.slice(0, longestExcerpt))} `;
        this.add(one);
      });
    } else this.text += JSON.stringify(typeof value === 'string' ? value.slice(0, longestExcerpt + 1) : value);
  }

  private members<T>(open: string, members: Iterable<T>, between: string, close: string, add: (one: T) => void): void {
    let before = open;
    for (const one of members) {
      if (this.text.length > longestExcerpt) return;
      this.text += before;
      add(one);
      before = between;
    }
    this.text += before === open ? `${open}${close}` : close;
  }
}

/** JSON text that is put into a document as it is: parts made before, and numbers whose spelling matters (`2.0`). */
export class RawJson {
  constructor(readonly text: string) {}
}

export type Json = string | number | boolean | null | RawJson | readonly Json[] | { readonly [key: string]: Json };

/** `pretty`: two spaces, `"key" : value`, arrays on one line, as stored documents and archives look; `compact`: no blanks. */
export type Layout = 'pretty' | 'compact';

/** Writes JSON text in one layout; `depth` is the number of objects around the value (arrays do not indent). */
export class JsonWriter {
  private readonly open: string;
  private readonly close: string;
  private readonly comma: string;
  private readonly colon: string;
  private readonly pretty: boolean;
  private readonly keys = new Map<string, string>();
  private readonly indents: string[] = [];

  constructor(layout: Layout) {
    this.pretty = layout === 'pretty';
    this.open = this.pretty ? '[ ' : '[';
    this.close = this.pretty ? ' ]' : ']';
    this.comma = this.pretty ? ', ' : ',';
    this.colon = this.pretty ? ' : ' : ':';
  }

  value(value: Json, depth: number): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (value === null || typeof value !== 'object') return String(value);
    if (value instanceof RawJson) return value.text;
    if (isArray(value)) return this.array(value.map((item) => this.value(item, depth)));
    return this.object(value, depth);
  }

  /** An array of elements that are JSON text already. */
  array(elements: readonly string[]): string {
    if (elements.length === 0) return this.pretty ? '[ ]' : '[]';
    return this.open + elements.join(this.comma) + this.close;
  }

  private object(value: { readonly [key: string]: Json }, depth: number): string {
    const inner = this.indent(depth + 1);
    let text = '';
    for (const key in value) {
      text += (text === '' ? '{' : ',') + inner + this.key(key) + this.value(value[key] as Json, depth + 1);
    }
    if (text === '') return this.pretty ? '{ }' : '{}';
    return `${text}${this.indent(depth)}}`;
  }

  /** A member's name with its colon. The same few names come a thousand times in a document. */
  private key(name: string): string {
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const text = JSON.stringify(name) + this.colon;
    if (this.keys.size < 500) this.keys.set(name, text);
    return text;
  }

  private indent(depth: number): string {
    if (!this.pretty) return '';
    return (this.indents[depth] ??= `\n${'  '.repeat(depth)}`);
  }
}

function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** A number that keeps its decimals (`2.0`, `0.50`) in the text. */
export function decimal(value: number, digits: number): RawJson {
  return new RawJson(value.toFixed(digits));
}

/**
 * The same text in one piece. The engine keeps a concatenation as a tree of its parts; text that goes into many documents is
 * copied three times as fast once it is flat, which looking at a character makes it.
 */
export function flattened(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** JSON text that the writer inserts unchanged: cached parts, and numbers with decimals, such as `2.0`. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type Json = string | number | boolean | null | RawJson | readonly Json[] | { readonly [key: string]: Json };

/**
 * `compact` writes no blanks. `pretty` writes like stored documents and archives: two spaces for each level, `"key" :
 * value`, and arrays on one line.
 */
export type Layout = 'pretty' | 'compact';

/** `depth` is the number of objects around a value. Arrays do not add to the depth, because they are not indented. */
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

  /** Caches names, because a few names occur thousands of times in a document. */
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

/** Returns a number with `digits` decimals, such as `2.0` or `0.50`. */
export function decimal(value: number, digits: number): RawJson {
  return new RawJson(value.toFixed(digits));
}

/**
 * V8 stores a concatenated string as a tree, and makes the string flat when code reads one of its characters. Copying a
 * flat string is three times as fast.
 */
export function flattened(text: string): string {
  text.charCodeAt(0);
  return text;
}

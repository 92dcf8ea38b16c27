/** A number as it was written: it may exceed a double, and `1.0` is not `1`. */
export class NumberText {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }
}

/** JSON of a query: maps keep their order, numbers their text. */
export type AstJson = null | boolean | string | NumberText | readonly AstJson[] | ReadonlyMap<string, AstJson>;

export const isList = (value: AstJson | undefined): value is readonly AstJson[] => Array.isArray(value);
export const isMap = (value: AstJson | undefined): value is ReadonlyMap<string, AstJson> => value instanceof Map;

/** Takes parsed JSON of the platform (numbers are doubles there) or an AstJson and gives an AstJson. */
export function fromPlain(value: unknown): AstJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof NumberText) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new NumberText(String(value));
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [String(key), fromPlain(one)]));
  if (typeof value === 'object') return new Map(Object.entries(value).map(([key, one]) => [key, fromPlain(one)]));
  return null;
}

/** Compact JSON text. */
export function stringifyAst(value: AstJson): string {
  if (value instanceof NumberText) return value.text;
  if (isList(value)) return `[${value.map(stringifyAst).join(',')}]`;
  if (isMap(value))
    return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}:${stringifyAst(one)}`).join(',')}}`;
  return JSON.stringify(value);
}

/** As error texts show a query: elements parted by blanks, nothing as `nil`. */
export function displayAst(value: AstJson): string {
  if (value === null) return 'nil';
  if (value instanceof NumberText) return value.text;
  if (isList(value)) return `[${value.map(displayAst).join(' ')}]`;
  if (isMap(value))
    return `{${[...value].map(([key, one]) => `${JSON.stringify(key)} ${displayAst(one)}`).join(', ')}}`;
  return JSON.stringify(value);
}

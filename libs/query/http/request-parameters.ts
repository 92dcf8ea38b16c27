import { excerpt } from '#fault';
import type { Limits } from '#limits';
import { malformed } from '../ast/malformed';
import { type AstJson, NumberText, isMap } from '../ast/json';
import { parseAst } from '../ast/parse-ast';

/** Values are texts if they come from a URL, and JSON values if they come from a body. A `null` counts as absent. */
export class RequestParameters {
  constructor(
    private readonly values: ReadonlyMap<string, AstJson>,
    readonly fromBody: boolean,
    readonly limits: Limits,
  ) {}

  get names(): string[] {
    return [...this.values.keys()];
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  value(name: string): AstJson | undefined {
    return this.values.get(name) ?? undefined;
  }

  /** A number or boolean in a body is returned as it is written there. Throws `query.parameter` for a list or a map. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    if (value instanceof NumberText) return value.text;
    if (typeof value === 'boolean') return String(value);
    throw malformed('parameter', `Illegal value for :${name}; expected a text.`);
  }

  flag(name: string): boolean {
    const value = this.value(name);
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
  }

  json(name: string): AstJson | undefined {
    const value = this.value(name);
    if (this.fromBody || typeof value !== 'string') return value;
    return value === '' ? undefined : (parseAst(value, this.limits) ?? undefined);
  }
}

/** Throws `query.parameter` if a parameter occurs twice. */
export function parametersOfUrl(url: string, limits: Limits): RequestParameters {
  const start = url.indexOf('?');
  const values = new Map<string, AstJson>();
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (values.has(name)) {
        throw malformed('parameter', `The query parameter '${excerpt(name)}' was given more than once.`);
      }
      values.set(name, value);
    }
  }
  return new RequestParameters(values, false, limits);
}

/** Reads a JSON object or an empty text. Throws `query.body`, `query.json` or `query.limit`. */
export function parametersOfBody(text: string, limits: Limits): RequestParameters {
  // `queryText` applies later, when the query is read. The object around the query adds one level of depth.
  const around = { ...limits, queryText: Infinity, queryDepth: limits.queryDepth + 1 };
  const value = text.trim() === '' ? new Map<string, AstJson>() : parseAst(text, around);
  if (!isMap(value)) {
    throw malformed('body', 'The body of a query must be a JSON object of parameters, such as {"query": […]}.');
  }
  return new RequestParameters(value, true, limits);
}

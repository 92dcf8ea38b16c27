import { excerpt, Fault } from '#fault';
import { type Limits, overLimit } from '#limits';
import { requestBody, requireJsonContent, type FastifyRequest } from '#http';
import { type AstJson, NumberText, isMap } from '../ast/json';
import { parseAst } from '../ast/parse-ast';

/**
 * The parameters of a request by name: texts from a URL, JSON values from a body. An absent, `null` or (in a URL)
 * value-less parameter reads as not given.
 */
export class RequestParameters {
  constructor(
    private readonly values: ReadonlyMap<string, AstJson>,
    /** Values from a body are JSON already; texts of a URL are parsed where JSON is due. */
    readonly fromBody: boolean,
    /** Of what the parameters hold. */
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

  /** The parameter as text; a number or boolean of a body as it was written. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    if (value instanceof NumberText) return value.text;
    if (typeof value === 'boolean') return String(value);
    throw new Fault('malformed', 'query.parameter', `Illegal value for :${name}; expected a text.`);
  }

  /** `true` in any case; everything else is false. */
  flag(name: string): boolean {
    const value = this.value(name);
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
  }

  /** A JSON value: a body's as it is, a URL's text parsed. An empty text counts as not given. */
  json(name: string): AstJson | undefined {
    const value = this.value(name);
    if (this.fromBody || typeof value !== 'string') return value;
    return value === '' ? undefined : (parseAst(value, this.limits) ?? undefined);
  }
}

/** GET: the query string. */
export function parametersOfUrl(url: string, limits: Limits): RequestParameters {
  const start = url.indexOf('?');
  const values = new Map<string, AstJson>();
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (values.has(name)) {
        throw new Fault(
          'malformed',
          'query.parameter',
          `The query parameter '${excerpt(name)}' was given more than once.`,
        );
      }
      values.set(name, value);
    }
  }
  return new RequestParameters(values, false, limits);
}

/** POST: a JSON object; an empty body is an empty object. The URL's query string does not count. */
export async function parametersOfBody(request: FastifyRequest, limits: Limits): Promise<RequestParameters> {
  requireJsonContent(request.headers['content-type']);
  const refuse = (found?: number): Fault => overLimit(limits, 'queryBodyBytes', found);
  const text = (await requestBody(request, limits.queryBodyBytes, refuse)).toString('utf8');
  // What a query may need is checked where it is read; the body around it is one level more.
  const around = { ...limits, queryText: Infinity, queryDepth: limits.queryDepth + 1 };
  const value = text.trim() === '' ? new Map<string, AstJson>() : parseAst(text, around);
  if (!isMap(value)) {
    throw new Fault(
      'malformed',
      'query.body',
      'The body of a query must be a JSON object of parameters, such as {"query": […]}.',
    );
  }
  return new RequestParameters(value, true, limits);
}

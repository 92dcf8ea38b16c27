import { isMap } from '#fault';
import { overLimit, type Limits } from '#limits';
import { cutAtDepth, innerValue } from './inner-value';
import { attributeNotFound, forbidden, illegalArgument, instanceNotFound, JolokiaError } from './jolokia-error';
import { type JolokiaRequest, optionsOf, readMap, readPath, repeated } from './jolokia-request';
import { listBeans } from './list-beans';
import type { JsonValue, MBean, MBeanSource } from './mbean';
import type { ObjectName } from './object-name';

export interface JolokiaOptions {
  readonly source: MBeanSource;
  readonly limits: Limits;
  /** The members `product`, `vendor` and `version` of the answer to a request of the type `version`. */
  readonly info: Readonly<Record<string, string>>;
  /** Returns milliseconds since 1970. */
  readonly clock?: () => number;
}

/**
 * After this many milliseconds, the work on a list of requests pauses for a moment, so that the process can answer
 * other clients.
 */
const sliceMs = 10;

type JolokiaAnswer = JsonValue;
type ReadRequest = Extract<JolokiaRequest, { type: 'read' }>;

class Allowance {
  private taken = 0;
  constructor(private readonly limits: Limits) {}

  take(beans: number): void {
    this.taken += beans;
    if (this.taken > this.limits.metricBeans) throw overLimit(this.limits, 'metricBeans', this.taken);
  }
}

/**
 * Implements the Jolokia protocol (version 7.2, agent 1.7). Never executes operations or writes attributes. An answer
 * to an invalid request contains the error. Throws `http.limit` if one HTTP request uses too many MBeans.
 */
export class Jolokia {
  private readonly clock: () => number;

  constructor(private readonly options: JolokiaOptions) {
    this.clock = options.clock ?? Date.now;
  }

  async get(path: string, parameters: URLSearchParams): Promise<JolokiaAnswer> {
    return orError(async () => this.answer(readPath(path, parameters), new Allowance(this.options.limits)));
  }

  /** If one request in a list is malformed, the answer is a single error for the whole list. */
  async post(body: string, parameters: URLSearchParams): Promise<JolokiaAnswer> {
    return orError(async () => {
      const parsed = parseBody(body);
      const options = optionsOf(parameters);
      const allowance = new Allowance(this.options.limits);
      if (isMap(parsed)) return this.answer(readMap(parsed, options), allowance);
      if (!Array.isArray(parsed)) throw illegalArgument('Invalid JSON request: expected a map or a list of maps');
      allowance.take(parsed.length);
      const requests = await inSlices(parsed, (one: unknown) => {
        if (isMap(one)) return readMap(one, options);
        throw illegalArgument('Not a request within the list of requests. Expected a map');
      });
      return inSlices(requests, (request) => this.answer(request, allowance));
    });
  }

  private async answer(request: JolokiaRequest, allowance: Allowance): Promise<JolokiaAnswer> {
    try {
      const value = await this.value(request, allowance);
      return { request: repeated(request), value, timestamp: Math.floor(this.clock() / 1_000), status: 200 };
    } catch (error) {
      if (error instanceof JolokiaError) return { request: repeated(request), ...error.body };
      throw error;
    }
  }

  private async value(request: JolokiaRequest, allowance: Allowance): Promise<JsonValue> {
    if (request.type === 'exec')
      throw forbidden(`Operation ${request.member} forbidden for MBean ${String(request.mbean)}`);
    if (request.type === 'write')
      throw forbidden(`Writing attribute ${request.member} forbidden for MBean ${String(request.mbean)}`);
    switch (request.type) {
      case 'version':
        return this.version();
      case 'list': {
        const beans = [...this.options.source.all()];
        if (request.path.length < 2) allowance.take(beans.length);
        return listBeans(beans, request.path, request.answerOptions.maxDepth);
      }
      case 'search': {
        const found = this.matching(request.mbean);
        allowance.take(found.length);
        return found.map(([name]) => name);
      }
      case 'read':
        return request.mbean.isPattern ? this.readMany(request, allowance) : this.readOne(request);
    }
  }

  private version(): JsonValue {
    return {
      agent: '1.7.1',
      protocol: '7.2',
      config: { agentType: 'servlet', agentContext: '/jolokia', mimeType: 'application/json', canonicalNaming: 'true' },
      info: this.options.info,
    };
  }

  private async readOne(request: ReadRequest): Promise<JsonValue> {
    const { mbean, attributes, isSingle, path, answerOptions } = request;
    const bean = this.options.source.find(String(mbean));
    if (bean === undefined) throw instanceNotFound(String(mbean));
    const values: Record<string, JsonValue> = {};
    for (const name of attributes.length === 0 ? bean.attributes.keys() : new Set(attributes)) {
      const attribute = bean.attributes.get(name);
      if (attribute !== undefined) values[name] = await attribute.read();
      else if (answerOptions.ignoreErrors && !isSingle)
        values[name] = `ERROR: No such attribute: ${name} (class javax.management.AttributeNotFoundException)`;
      else throw attributeNotFound(name);
    }
    const [only = ''] = attributes;
    return cutAtDepth(innerValue(isSingle ? (values[only] ?? null) : values, path), answerOptions.maxDepth);
  }

  /** Reads attributes of several MBeans. Omits the attributes that an MBean does not have. */
  private async readMany(
    { mbean, attributes, path, answerOptions }: ReadRequest,
    allowance: Allowance,
  ): Promise<JsonValue> {
    const found = this.matching(mbean);
    allowance.take(found.length);
    if (found.length === 0)
      throw instanceNotFound(`No MBean with pattern ${String(mbean)} found for reading attributes`);
    const answers: Record<string, JsonValue> = {};
    const wanted = new Set(attributes);
    for (const [name, bean] of found) {
      const values: Record<string, JsonValue> = {};
      // The loop runs over the attributes of the MBean, so its time does not depend on the number of names in the
      // request.
      for (const [attribute, known] of bean.attributes) {
        if (wanted.size > 0 && !wanted.has(attribute)) continue;
        values[attribute] = await known.read();
      }
      if (attributes.length === 0 || Object.keys(values).length > 0) answers[name] = values;
    }
    if (Object.keys(answers).length === 0)
      throw illegalArgument(
        `No matching attributes [${attributes.join(', ')}] found on MBeans [${found.map(([name]) => name).join(', ')}]`,
      );
    return cutAtDepth(innerValue(answers, path), answerOptions.maxDepth);
  }

  /** Returns the MBeans whose name or alias matches the pattern, each with the matching name. */
  private matching(pattern: ObjectName): [name: string, bean: MBean][] {
    const found: [string, MBean][] = [];
    for (const bean of this.options.source.all()) {
      if (pattern.matches(bean.name)) found.push([String(bean.name), bean]);
      else if (bean.alias !== undefined && pattern.matches(bean.alias)) found.push([String(bean.alias), bean]);
    }
    return found;
  }
}

async function inSlices<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let start = performance.now();
  for (const item of items) {
    results.push(await work(item));
    if (performance.now() - start < sliceMs) continue;
    await new Promise(setImmediate);
    start = performance.now();
  }
  return results;
}

async function orError(work: () => Promise<JolokiaAnswer>): Promise<JolokiaAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JolokiaError) return error.body;
    throw error;
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw illegalArgument('Invalid JSON request');
  }
}

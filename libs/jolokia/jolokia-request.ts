import { isMap } from '#fault';
import { illegalArgument, JolokiaError } from './jolokia-error';
import type { JsonValue } from './mbean';
import { MalformedName, ObjectName } from './object-name';
import { joinParts, pathParts } from './path-parts';

interface AnswerOptions {
  /** Number of levels in an answer. Deeper values are replaced by texts. Undefined means no limit. */
  readonly maxDepth?: number;
  /** If true, an attribute that cannot be read gets a text about the error as its value. */
  readonly ignoreErrors: boolean;
}

interface Options {
  readonly maxDepth?: unknown;
  readonly ignoreErrors?: unknown;
}

export type JolokiaRequest =
  | { readonly type: 'version'; readonly answerOptions: AnswerOptions }
  | { readonly type: 'list'; readonly path: readonly string[]; readonly answerOptions: AnswerOptions }
  | { readonly type: 'search'; readonly mbean: ObjectName; readonly answerOptions: AnswerOptions }
  | {
      readonly type: 'read';
      readonly mbean: ObjectName;
      /** Names of the requested attributes. If the list is empty, all attributes are requested. */
      readonly attributes: readonly string[];
      /**
       * Whether the client named exactly one attribute. In this case, the answer is the value itself instead of a map
       * of values.
       */
      readonly isSingle: boolean;
      readonly path: readonly string[];
      readonly answerOptions: AnswerOptions;
    }
  | {
      readonly type: 'exec' | 'write';
      readonly mbean: ObjectName;
      /** Name of the operation or attribute. */
      readonly member: string;
      readonly value?: JsonValue;
    };

export function repeated(request: JolokiaRequest): Record<string, JsonValue> {
  switch (request.type) {
    case 'version':
      return { type: 'version' };
    case 'list':
      return { ...pathOf(request.path), type: 'list' };
    case 'search':
      return { mbean: String(request.mbean), type: 'search' };
    case 'read': {
      const { attributes, mbean, path } = request;
      const attribute = attributes.length === 1 ? (attributes[0] as string) : attributes;
      return { ...pathOf(path), mbean: String(mbean), ...(attributes.length > 0 && { attribute }), type: 'read' };
    }
    case 'exec':
      return { mbean: String(request.mbean), type: 'exec', operation: request.member };
    case 'write':
      return {
        mbean: String(request.mbean),
        attribute: request.member,
        type: 'write',
        ...(request.value !== undefined && { value: request.value }),
      };
  }
}

const pathOf = (path: readonly string[]): { path?: string } => (path.length === 0 ? {} : { path: joinParts(path) });

/**
 * Parses a GET request. `path` is the decoded path below the endpoint, without a leading slash. Throws JolokiaError.
 */
export function readPath(path: string, parameters: URLSearchParams): JolokiaRequest {
  const parts = pathParts(path === '' ? (parameters.get('p') ?? '') : path);
  const answerOptions = (): AnswerOptions => readAnswerOptions(optionsOf(parameters));
  const [given = 'version', ...rest] = parts;
  const type = requestType(given);
  const argument = (at: number): string => {
    const found = rest[at];
    if (found === undefined || found === '')
      throw illegalArgument(`Invalid arguments in pathinfo /${path} for command ${type.toUpperCase()}`);
    return found;
  };
  switch (type) {
    case 'version':
      return { type, answerOptions: answerOptions() };
    case 'list':
      return { type, path: rest, answerOptions: answerOptions() };
    case 'search':
      return { type, mbean: nameOf(argument(0)), answerOptions: answerOptions() };
    case 'exec':
      return { type, mbean: nameOf(argument(0)), member: argument(1) };
    case 'write':
      return { type, mbean: nameOf(argument(0)), member: argument(1), ...(rest[2] && { value: rest[2] }) };
    case 'read': {
      const [, listed = '', ...inner] = rest;
      const attributes = listed === '' || listed === '*' ? [] : listed.split(',');
      return {
        type,
        mbean: nameOf(argument(0)),
        attributes,
        isSingle: attributes.length === 1,
        path: inner,
        answerOptions: answerOptions(),
      };
    }
  }
}

/** Returns the options in a URL. They apply to each request in the body. */
export const optionsOf = (parameters: URLSearchParams): Options => ({
  maxDepth: parameters.get('maxDepth'),
  ignoreErrors: parameters.get('ignoreErrors'),
});

/** Parses a request in a body. Its own options override `options`. Throws JolokiaError. */
export function readMap(map: Readonly<Record<string, unknown>>, options: Options): JolokiaRequest {
  const { type: given, target } = map;
  if (typeof given !== 'string') throw illegalArgument('No type given');
  const type = requestType(given.toLowerCase());
  if (target !== undefined) throw illegalArgument('No JSR-160 proxy is enabled: only this process can be asked');
  const { config } = map;
  const answerOptions = readAnswerOptions({ ...options, ...(isMap(config) ? config : {}) });
  const text = (key: string): string | undefined => {
    const value = map[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    throw illegalArgument(`Expected text for ${key}`);
  };
  const name = (): ObjectName => {
    const found = text('mbean');
    if (found === undefined) throw illegalArgument('Objectname can not be null');
    return nameOf(found);
  };
  const path = pathParts(text('path') ?? '');
  switch (type) {
    case 'version':
      return { type, answerOptions };
    case 'list':
      return { type, path, answerOptions };
    case 'search':
      return { type, mbean: name(), answerOptions };
    case 'exec':
      return { type, mbean: name(), member: text('operation') ?? '' };
    case 'write':
      return {
        type,
        mbean: name(),
        member: text('attribute') ?? '',
        ...(isScalar(map['value']) && { value: map['value'] }),
      };
    case 'read': {
      const attributes = readAttributes(map['attribute']);
      return { type, mbean: name(), attributes, isSingle: typeof map['attribute'] === 'string', path, answerOptions };
    }
  }
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function requestType(text: string): JolokiaRequest['type'] {
  switch (text) {
    case 'version':
    case 'list':
    case 'search':
    case 'read':
    case 'exec':
    case 'write':
      return text;
    default:
      throw illegalArgument(`No type with name '${text}' exists`);
  }
}

function nameOf(text: string): ObjectName {
  try {
    return ObjectName.parse(text);
  } catch (error) {
    if (error instanceof MalformedName) throw illegalArgument(error.message);
    throw error;
  }
}

function readAttributes(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw illegalArgument('Expected text or a list of texts for attribute');
}

function readAnswerOptions({ maxDepth: depth, ignoreErrors: ignore }: Options): AnswerOptions {
  const ignoreErrors = ignore === true || ignore === 'true';
  if (depth === undefined || depth === null) return { ignoreErrors };
  // For a list or a map, the message contains only brackets, because the content may be nested too deep to be
  // formatted.
  const text = isScalar(depth) ? String(depth) : Array.isArray(depth) ? '[...]' : '{...}';
  if (!/^\d{1,6}$/.test(text))
    throw new JolokiaError(400, 'java.lang.NumberFormatException', `For input string: "${text}"`);
  const maxDepth = Number(text);
  // The depth 0 means no limit.
  return { ignoreErrors, ...(maxDepth > 0 && { maxDepth }) };
}

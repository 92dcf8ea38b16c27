import { excerpt, isFault } from '#fault';
import {
  type AstJson,
  type CompileTarget,
  type FactPath,
  isList,
  isMap,
  NumberText,
  parseAst,
  readFactPath,
  readNumber,
  refusedParameter,
  type RequestParameters,
  stringifyAst,
} from '#query';
import { defaultLimits, type Limits } from '#limits';
import { choiceParameters, type NodeChoice, readChoice } from '../nodes/node-choice';
import { type NodeField, readNodeField } from '../nodes/node-field';
import { readTexts } from '../reading/parameters';

export type OrderField = NodeField | { readonly kind: 'certname' | 'report_timestamp'; readonly name: string };

/**
 * The last row of the previous page, after which the page begins. `value` is the JSON text of the value by which the
 * list is sorted.
 */
export interface PageKey {
  readonly value: string;
  readonly certname: string;
}

export interface NodeListRequest {
  readonly choice: NodeChoice;
  readonly facts: readonly (FactPath & { readonly name: string })[];
  readonly order: OrderField;
  readonly descending: boolean;
  readonly after?: PageKey;
  readonly limit: number;
}

export const nodeListParameters = [...choiceParameters, 'facts', 'order', 'after', 'limit'] as const;
export const mostNodes = 1_000;
const mostFacts = 20;

/** Throws a fault whose code begins with `query.` if a parameter is malformed. */
export function readNodeList(parameters: RequestParameters, target: CompileTarget): NodeListRequest {
  const { limits = defaultLimits } = target;
  const facts = readTexts(parameters, 'facts', mostFacts);
  const repeated = facts.find((name, index) => facts.indexOf(name) !== index);
  if (repeated !== undefined) throw refusedParameter(`facts names '${excerpt(repeated)}' twice.`);
  const order = parameters.text('order') ?? 'certname';
  const descending = order.startsWith('-');
  const after = parameters.text('after');
  const field = readOrder(descending ? order.slice(1) : order, limits);
  return {
    choice: readChoice(parameters, target),
    facts: facts.map((name) => ({ name, ...readFactPath(name, limits) })),
    order: field,
    descending,
    limit: readNumber(parameters, 'limit', { absent: 100, most: mostNodes }),
    ...(after === undefined ? {} : { after: readKey(after, field, limits) }),
  };
}

function readOrder(name: string, limits: Limits): OrderField {
  return name === 'certname' || name === 'report_timestamp' ? { kind: name, name } : readNodeField(name, limits);
}

function readKey(text: string, order: OrderField, limits: Limits): PageKey {
  const key = parsed(text, limits);
  if (isList(key) && key.length === 2) {
    const [value = null, certname] = key;
    if (typeof certname === 'string' && isOrderValue(order, value)) return { value: stringifyAst(value), certname };
  }
  throw refusedParameter('after is not the key `next` of an answer with the same order.');
}

function parsed(text: string, limits: Limits): AstJson | undefined {
  try {
    return parseAst(text, limits);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

function isOrderValue({ kind }: OrderField, value: AstJson): boolean {
  switch (kind) {
    case 'status':
      return value instanceof NumberText && /^[0-4]$/.test(value.text);
    case 'certname':
    case 'environment':
      return typeof value === 'string';
    case 'report_timestamp':
      return typeof value === 'string' && /^(-infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00)$/.test(value);
    case 'fact':
      return !isList(value) && !isMap(value);
  }
}

/** Passes a case to the functions of the service that read it, without a service. */
import { readBodyForm } from '../../../libs/commands/body-form';
import { answerFault } from '../../../libs/http/fault-answer';
import { isFault } from '#fault';
import { defaultLimits, highestLimits } from '#limits';
import { inflate, readAgentReport, readCommand } from '#wire';
import { isMap } from '../../../libs/query/ast/json';
import { compileQuery, parseAst } from '../../../libs/query/compile';
import { astText, nestChains } from '../../../libs/query/http/ast-text';
import { matchRoute } from '../../../libs/query/http/match-route';
import { readRequest } from '../../../libs/query/http/read-request';
import { parametersOfUrl, RequestParameters } from '../../../libs/query/http/request-parameters';
import { readWaitFor } from '../../../libs/query/http/wait-for';
import { certname } from './payload-documents';
import type { Made } from './recipe';

/** The outcome of a case: accepted, refused properly, or failed with an unexpected error. */
export type Ending =
  | { readonly end: 'read' }
  | {
      readonly end: 'refused';
      readonly status: number;
      readonly code: string;
      /** The begin of the text; `length`: the length of the whole text. */
      readonly answer: string;
      readonly length: number;
    }
  | { readonly end: 'broken'; readonly error: string };

const target = { schema: 'gen_1', edition: 'full', dialect: 'puppetdb' } as const;
/** Larger than any URL. Larger parameters are sent in a body. */
const longestUrl = 200_000;
/** The limits of a service with default settings, and of one whose settings allow every size. */
const mostInflated = 20_000_000;
const mostPlain = highestLimits.commandBytes;
/** Longest description of an outcome. */
const keptCharacters = 1_000;

export async function read(made: Made): Promise<Ending> {
  try {
    if (made.to === 'query') readQuery(made);
    else await readPayload(made);
    return { end: 'read' };
  } catch (error) {
    if (!isFault(error)) {
      const text = error instanceof Error ? (error.stack ?? '') : String(error);
      return { end: 'broken', error: text.slice(0, keptCharacters) };
    }
    const { status, body } = answerFault(error);
    if (status >= 500) return { end: 'broken', error: `${error.code}: ${error.message}`.slice(0, keptCharacters) };
    return { end: 'refused', status, code: error.code, answer: body.slice(0, keptCharacters), length: body.length };
  }
}

/** Returns the query string of a request, or undefined if it is too long. */
export function searchOf({ parameters }: Extract<Made, { to: 'query' }>): string | undefined {
  if (typeof parameters === 'string') return parameters;
  // Encoding never makes a text shorter, and takes longer than reading it.
  if (Object.values(parameters).some(({ length }) => length > longestUrl)) return undefined;
  const search = new URLSearchParams(parameters).toString();
  return search.length > longestUrl ? undefined : search;
}

function readQuery(made: Extract<Made, { to: 'query' }>): void {
  const match = matchRoute(made.path);
  if (match === undefined) return;
  const search = searchOf(made);
  const parameters =
    search === undefined ? ofBody(JSON.stringify(made.parameters)) : parametersOfUrl(`/?${search}`, defaultLimits);
  const asked = readRequest(match, parameters);
  if (made.waitFor !== undefined) readWaitFor({ 'x-nodeledger-wait-for': made.waitFor });
  for (const request of asked.requests) compileQuery(request, target);
  if (asked.query !== undefined) astText(nestChains(asked.query.ast));
}

function ofBody(text: string): RequestParameters {
  // As in the service, the limits of a query are checked while it is read.
  const value = parseAst(text, { ...defaultLimits, queryText: Infinity, queryDepth: defaultLimits.queryDepth + 1 });
  if (!isMap(value)) throw new Error('a body of parameters is a map');
  return new RequestParameters(value, true, defaultLimits);
}

async function readPayload({ name, bytes, encoding }: Extract<Made, { to: 'command' }>): Promise<void> {
  const payload = await inflate(bytes, encoding, encoding === 'gzip' ? mostInflated : mostPlain);
  if (name === 'agent report') {
    readAgentReport(payload, 0);
    return;
  }
  const space = name.lastIndexOf(' ');
  const [command, version] = [name.slice(0, space), Number(name.slice(space + 1))];
  // A submission in the old form contains the payload, so it is parsed before its command is known.
  const oldForm = `{"command":${JSON.stringify(command)},"version":${version},"payload":`;
  readBodyForm(Buffer.concat([Buffer.from(oldForm), payload, Buffer.from('}')]));
  const document = readCommand({ command, version, certname }, payload);
  if (document.kind !== 'facts') return;
  for (const fact of document.facts) {
    fact.value();
    fact.spelled();
    fact.leaves();
  }
}

/** Reads the parameters of requests that other libs answer from the same tables as queries. */
import { excerpt, type Fault } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { readSteps, type Step } from '../ast/dotted-name';
import { malformed, meantHint } from '../ast/malformed';
import { type LeafKeys, leafKeys } from '../sql/tree';
import { parametersOfUrl, type RequestParameters } from './request-parameters';

/** Throws `http.limit` if the URL is too long, and `query.parameter` for a parameter that is not in `known`. */
export function readParameters(url: string, known: readonly string[], limits: Limits): RequestParameters {
  checkLimit(limits, 'consoleUrl', url.length);
  const parameters = parametersOfUrl(url, limits);
  const unknown = parameters.names.find((name) => !known.includes(name));
  if (unknown === undefined) return parameters;
  throw refusedParameter(`There is no parameter '${excerpt(unknown)}' here.`, meantHint(unknown, known).hint);
}

export const refusedParameter = (message: string, hint?: string): Fault => malformed('parameter', message, { hint });

/**
 * Returns `absent` if the request lacks the parameter. Throws `query.parameter` if the value is not a whole number from
 * `least` to `most`.
 */
export function readNumber(
  parameters: RequestParameters,
  name: string,
  { absent, least = 1, most }: { absent: number; least?: number; most: number },
): number {
  const text = parameters.text(name);
  if (text === undefined) return absent;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most)
    throw refusedParameter(`${name} is a whole number from ${least} to ${most}, not '${excerpt(text)}'.`);
  return value;
}

export interface FactPath {
  readonly steps: readonly Step[];
  readonly keys: LeafKeys;
}

/** Reads the dotted path of a fact: `os.release."a.b"`. Throws `query.parameter` or `query.limit`. */
export function readFactPath(text: string, limits: Limits): FactPath {
  checkLimit(limits, 'queryName', text.length);
  const steps = readSteps(text);
  checkLimit(limits, 'queryPathSteps', steps.length);
  const keys = leafKeys(steps);
  if (text === '' || keys === undefined)
    throw refusedParameter(
      `'${excerpt(text)}' is not the path of a fact.`,
      'A path has names with dots between them, such as os.release.major. A name with a dot is quoted: os."a.b".',
    );
  return { steps, keys };
}

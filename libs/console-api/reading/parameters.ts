import { excerpt, Fault, nearest } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { type AstJson, isList, parametersOfUrl, type RequestParameters } from '#query';

/**
 * Reads the parameters of a URL. Throws `http.limit` if the URL is too long, and `query.parameter` if a parameter is
 * not in `known`.
 */
export function readParameters(url: string, known: readonly string[], limits: Limits): RequestParameters {
  checkLimit(limits, 'consoleUrl', url.length);
  const parameters = parametersOfUrl(url, limits);
  for (const name of parameters.names) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    throw refused(`There is no parameter '${excerpt(name)}' here.`, meant && `Did you mean '${meant}'?`);
  }
  return parameters;
}

export const refused = (message: string, hint?: string): Fault =>
  new Fault('malformed', 'query.parameter', message, hint === undefined ? {} : { hint });

/** Reads the parameter `limit`, a whole number from 1 to `most`. */
export function readLimit(parameters: RequestParameters, { absent, most }: { absent: number; most: number }): number {
  const text = parameters.text('limit');
  if (text === undefined) return absent;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw refused(`limit is a whole number from 1 to ${most}, not '${excerpt(text)}'.`);
  return value;
}

/** Reads a parameter such as `["role","os.name"]`, a JSON list of at most `most` texts. */
export function readTexts(parameters: RequestParameters, name: string, most: number): readonly string[] {
  const value = parameters.json(name);
  if (value === undefined) return [];
  if (!isList(value) || !value.every(isText))
    throw refused(`${name} is a JSON list of texts, such as ["role","os.name"].`);
  if (value.length > most) throw refused(`${name} has ${value.length} texts; at most ${most} are allowed.`);
  return value;
}

const isText = (value: AstJson): value is string => typeof value === 'string';

/** Reads a duration such as `2h`. Returns milliseconds. */
export function readDurationOf(
  parameters: RequestParameters,
  name: string,
  { absent, least, most }: { absent: string; least: string; most: string },
): number {
  const text = parameters.text(name) ?? absent;
  const value = durationMs(text);
  if (value === undefined || value < durationMs(least)! || value > durationMs(most)!)
    throw refused(`${name} is a duration from ${least} to ${most}, such as ${absent}, not '${excerpt(text)}'.`);
  return value;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function durationMs(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * unitMs[unit as keyof typeof unitMs];
}

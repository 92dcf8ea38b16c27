import { excerpt, Fault } from '#fault';
import type { Position } from '#log';
import { type LetterFilter, readLetterName } from '#projections';

export interface LettersRequest {
  readonly filter: LetterFilter;
  readonly limit: number;
  readonly offset: number;
  readonly waitMs: number;
  readonly all: boolean;
}

export const letterFilters = ['command', 'certname', 'since'] as const;
export const mostLetters = 1000;
export const mostWaitSeconds = 600;
export const letterDefaults = { limit: '100', offset: '0', wait: '30' };

const malformed = (message: string): Fault => new Fault('malformed', 'admin.letters-request', message);

/**
 * `allowed` lists the parameters that the route accepts besides filters. Throws `admin.letters-request` if a parameter
 * is unknown or invalid.
 */
export function readLettersRequest(
  url: string,
  allowed: readonly ('limit' | 'offset' | 'wait' | 'all')[],
): LettersRequest {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'));
  const known: readonly string[] = [...letterFilters, ...allowed];
  for (const name of new Set(parameters.keys())) {
    if (!known.includes(name)) {
      throw malformed(`There is no parameter ${JSON.stringify(excerpt(name))} here, only ${known.join(', ')}.`);
    }
    if (parameters.getAll(name).length > 1) throw malformed(`The parameter ${name} may be given once.`);
  }
  const all = parameters.get('all');
  if (all !== null && all !== 'true') throw malformed("The parameter all can only be 'true'.");
  return {
    filter: readFilter(parameters),
    limit: wholeNumber(parameters, 'limit', 1, mostLetters),
    offset: wholeNumber(parameters, 'offset', 0, Number.MAX_SAFE_INTEGER),
    waitMs: wholeNumber(parameters, 'wait', 0, mostWaitSeconds) * 1000,
    all: all !== null,
  };
}

/** Throws `admin.letters-request` if the request has neither a filter nor `all=true`. */
export function requireSomeFilter({ filter, all }: LettersRequest): LetterFilter {
  if (Object.keys(filter).length === 0 && !all) {
    throw malformed(`Name at least one of ${letterFilters.join(', ')}, or give all=true for every dead letter.`);
  }
  return filter;
}

/** Throws `admin.no-letter` if the name is invalid. */
export function readLetter(name: string): Position {
  const position = readLetterName(name);
  if (position === undefined) {
    throw new Fault('missing', 'admin.no-letter', `There is no dead letter ${JSON.stringify(excerpt(name))}.`, {
      hint: 'Dead letters are named by partition and offset, as 3-17.',
    });
  }
  return position;
}

function readFilter(parameters: URLSearchParams): LetterFilter {
  const [command, certname, since] = letterFilters.map((name) => {
    const text = parameters.get(name);
    if (text === '') throw malformed(`The parameter ${name} is empty.`);
    if (text?.includes('\0')) throw malformed(`The parameter ${name} must not contain U+0000.`);
    return text;
  });
  return {
    ...(command != null && { command: command.replaceAll('_', ' ') }),
    ...(certname != null && { certname }),
    ...(since != null && { since: isoTime(since) }),
  };
}

const timeForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

function isoTime(text: string): string {
  const found = timeForm.exec(text);
  const time = found === null ? undefined : new Date(`${found[1]}T${found[2] ?? '00:00'}${found[3] ?? 'Z'}`);
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw malformed(
      `since must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not ${JSON.stringify(excerpt(text))}.`,
    );
  }
  return time.toISOString();
}

function wholeNumber(
  parameters: URLSearchParams,
  name: keyof typeof letterDefaults,
  least: number,
  most: number,
): number {
  const text = parameters.get(name) ?? letterDefaults[name];
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw malformed(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(excerpt(text))}.`);
  }
  return value;
}

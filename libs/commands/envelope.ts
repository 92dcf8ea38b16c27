import { excerpt, Fault } from '#fault';
import { commandCatalogue } from '#wire';

/**
 * JSON text of a value that is neither a string nor null. The value is not parsed, because it can be large or deeply
 * nested.
 */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A value as the client sent it. A list contains the values of a repeated parameter. */
type Sent = string | readonly string[] | JsonText | null | undefined;

interface Envelope {
  /** Name of the command, with spaces. */
  readonly command: Sent;
  readonly certname: Sent;
  /** Undefined if the version is missing or not an integer. */
  readonly version: number | undefined;
  /** Names of unknown parameters or members, in the order of the request. */
  readonly foreign: readonly string[];
}

interface CheckedEnvelope {
  readonly command: string;
  readonly certname: string;
  readonly version: number;
}

const mostShown = 20;

/** Formats a value as PuppetDB does: `nil` for null, and texts in quotes. Long values are shortened. */
export function displayValue(value: Sent): string {
  if (value === undefined || value === null) return 'nil';
  if (value instanceof JsonText) return excerpt(value.text);
  if (typeof value === 'string') return excerpt(JSON.stringify(excerpt(value)));
  return excerpt(`[${value.slice(0, mostShown).map(displayValue).join(' ')}]`);
}

export function invalid(envelope: Pick<Envelope, 'command' | 'certname'>, reason: string): Fault {
  return new Fault(
    'malformed',
    'command.invalid',
    `Command ${displayValue(envelope.command)} for certname ${displayValue(envelope.certname)} is invalid. ${reason}`,
    { details: { form: 'json' } },
  );
}

const blank = /^[\s]*$/;
// Matches U+0000 and unpaired surrogates, which a text column of PostgreSQL cannot store.
const unstorable = /[\0\ud800-\udfff]/u;

/**
 * Checks the values of an envelope, in the same order as PuppetDB. Throws `command.invalid` for the first invalid
 * value.
 */
export function checkEnvelope(envelope: Envelope): CheckedEnvelope {
  const { command, certname, version, foreign } = envelope;
  if (certname === undefined || certname === null) {
    throw invalid(envelope, 'Command is missing required parameters: certname.');
  }
  if (foreign.length > 0)
    throw invalid(envelope, `Command has invalid parameters: ${excerpt(foreign.slice(0, mostShown).join(', '))}.`);
  if (typeof certname !== 'string' || blank.test(certname)) {
    throw invalid(envelope, 'Certname must be a non-empty string.');
  }
  if (unstorable.test(certname)) {
    throw invalid(envelope, 'Certname must not contain U+0000 or half a surrogate pair.');
  }
  const known = typeof command === 'string' ? commandCatalogue.get(command) : undefined;
  if (typeof command !== 'string' || known === undefined) {
    throw invalid(envelope, `Command must be one of: ${[...commandCatalogue.keys()].sort().join(', ')}.`);
  }
  if (version === undefined) throw invalid(envelope, 'Version must be a valid integer.');
  if (version < known.minimum) {
    throw invalid(
      envelope,
      `Version ${version} of command ${displayValue(command)} is retired. The minimum supported version is ${known.minimum}.`,
    );
  }
  return { command, certname, version };
}

const largestVersion = 2 ** 31 - 1;

/** Parses a version. Returns undefined if the text is not a 32-bit integer with an optional sign. */
export function readVersion(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d{1,18}$/.test(text)) return undefined;
  const version = Number(text);
  return version <= largestVersion && version >= -largestVersion - 1 ? version : undefined;
}

const seconds = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** The longest delay, in milliseconds, that Node.js allows for a timer. */
const longestWaitMs = 2 ** 31 - 1;

/**
 * Returns the milliseconds to wait for completion, or 0 if the text is absent, zero or negative. Throws
 * `command.invalid` if the text is not a number.
 */
export function readWait(text: string | undefined, envelope: CheckedEnvelope): number {
  if (text === undefined) return 0;
  if (!seconds.test(text)) {
    throw invalid(envelope, `secondsToWaitForCompletion must be a number of seconds, not ${displayValue(text)}.`);
  }
  return Math.min(longestWaitMs, Math.max(0, Number(text) * 1_000));
}

import { excerpt, Fault } from '#fault';
import { commandCatalogue } from '#wire';

/** A value that is neither a text nor null, as the JSON text that was sent. It is not read: it may be large or deep. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** What stands where a text is wanted. A list: a parameter that was given more than once. */
type Sent = string | readonly string[] | JsonText | null | undefined;

/** What a client said about its command, in either form, before any check. */
interface Envelope {
  /** Name with spaces. */
  readonly command: Sent;
  readonly certname: Sent;
  /** Undefined where it is missing or not an integer. */
  readonly version: number | undefined;
  /** Names of parameters or members that the form does not have, in their order. */
  readonly foreign: readonly string[];
}

interface CheckedEnvelope {
  readonly command: string;
  readonly certname: string;
  readonly version: number;
}

const mostShown = 20;

/**
 * Names and values in messages: `nil` for nothing, text in quotes, as clients of this interface know it. Each has at most
 * 200 characters, which count as they are written, with their escapes.
 */
export function displayValue(value: Sent): string {
  if (value === undefined || value === null) return 'nil';
  if (value instanceof JsonText) return excerpt(value.text);
  if (typeof value === 'string') return excerpt(JSON.stringify(excerpt(value)));
  return excerpt(`[${value.slice(0, mostShown).map(displayValue).join(' ')}]`);
}

/** The 400 of a submission that cannot be accepted. */
export function invalid(envelope: Pick<Envelope, 'command' | 'certname'>, reason: string): Fault {
  return new Fault(
    'malformed',
    'command.invalid',
    `Command ${displayValue(envelope.command)} for certname ${displayValue(envelope.certname)} is invalid. ${reason}`,
    { details: { form: 'json' } },
  );
}

const blank = /^[\s]*$/;
// U+0000 and halves of surrogate pairs can be kept neither in a text column nor in UTF-8.
const unstorable = /[\0\ud800-\udfff]/u;

/** The checks that come before queueing, in the order in which clients see their messages. Faults: `command.invalid`. */
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

/** An integer of 32 bits, sign allowed; anything else is undefined. */
export function readVersion(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d{1,18}$/.test(text)) return undefined;
  const version = Number(text);
  return version <= largestVersion && version >= -largestVersion - 1 ? version : undefined;
}

const seconds = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** The longest that a timer can wait. */
const longestWaitMs = 2 ** 31 - 1;

/** Milliseconds to wait for completion; 0 where the text is absent, zero or negative. Faults: `command.invalid`. */
export function readWait(text: string | undefined, envelope: CheckedEnvelope): number {
  if (text === undefined) return 0;
  if (!seconds.test(text)) {
    throw invalid(envelope, `secondsToWaitForCompletion must be a number of seconds, not ${displayValue(text)}.`);
  }
  return Math.min(longestWaitMs, Math.max(0, Number(text) * 1_000));
}

import type { FaultCode } from './fault-codes';

/** The HTTP filter maps each kind to a status. */
export const faultKinds = [
  'malformed',
  'unauthorized',
  'forbidden',
  'missing',
  'unacceptable',
  'too-large',
  'conflict',
  'busy',
  'timed-out',
  'broken',
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface FaultOptions {
  /** A remedy for the user, in one sentence. */
  readonly hint?: string;
  /** Details for programs, such as the paths of invalid members, positions, or similar names. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * The class of all expected errors that a lib throws for its callers. `message` must be understandable without the
 * hint. The HTTP filter converts a fault to a response.
 */
export class Fault extends Error {
  readonly hint?: string;
  readonly details?: unknown;

  constructor(
    readonly kind: FaultKind,
    readonly code: FaultCode,
    message: string,
    options: FaultOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.details !== undefined) this.details = options.details;
  }
}

export const isFault = (error: unknown): error is Fault => error instanceof Fault;

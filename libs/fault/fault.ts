import type { FaultCode } from './fault-codes';

/** All kinds of faults. The HTTP filter maps each to a status. */
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
  /** What the reader can do, in one sentence. */
  readonly hint?: string;
  /** Details for programs: problems with paths, positions, nearest names. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * The error class for expected errors between libs. `code` is stable and dotted (`wire.missing-field`). `message` is
 * complete without the hint. The HTTP filter converts it to a status.
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

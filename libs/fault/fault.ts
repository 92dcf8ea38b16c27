import type { FaultCode } from './fault-codes';

/** The closed set of kinds; the HTTP filter maps each to one status. */
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
  /** What the reader can do about it, one sentence. */
  readonly hint?: string;
  /** Machine-readable particulars: problems with paths, positions, nearest names. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * The one error that crosses a lib's boundary on purpose. `code` is stable and dotted (`wire.missing-field`);
 * `message` is complete without the hint. Thrown where the knowledge is, turned into a status at the edge.
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

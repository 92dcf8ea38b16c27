import { Fault, type FaultCode, type FaultKind, isFault } from '#fault';
import { type ErrorFields, errorFields } from '#observe';

/** An error as a thread posts it: of a fault also its kind and hint. A thread passes no classes on. */
export interface PostedError extends ErrorFields {
  readonly kind?: FaultKind;
  readonly hint?: string;
}

export function postedError(error: unknown): PostedError {
  if (!isFault(error)) return errorFields(error);
  const { kind, hint } = error;
  return { ...errorFields(error), kind, ...(hint !== undefined && { hint }) };
}

/** The same error again, without its details. */
export function receivedError({ kind, code, message, hint }: PostedError): Error {
  if (kind === undefined) return Object.assign(new Error(message), { code });
  return new Fault(kind, code as FaultCode, message, hint === undefined ? {} : { hint });
}

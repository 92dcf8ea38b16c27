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
export function receivedError(posted: PostedError): Error {
  const { type, kind, code, message, hint, stack } = posted;
  const options = posted.cause === undefined ? {} : { cause: receivedError(posted.cause) };
  if (kind !== undefined) return new Fault(kind, code as FaultCode, message, { ...options, ...(hint && { hint }) });
  const error = Object.assign(new Error(message, options), { name: type, ...(code !== undefined && { code }) });
  if (stack !== undefined) error.stack = `${type}: ${message}\n${stack}`;
  return error;
}

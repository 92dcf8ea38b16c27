import { Fault, type FaultCode, type FaultKind, isFault } from '#fault';
import { type ErrorFields, errorFields } from '#observe';

export interface PostedError extends ErrorFields {
  readonly kind?: FaultKind;
  readonly hint?: string;
  readonly cause?: PostedError;
  /** The errors in an AggregateError, without their causes. */
  readonly errors?: readonly PostedError[];
}

const mostCauses = 3;
const mostErrors = 10;

export function postedError(error: unknown, causes = mostCauses): PostedError {
  const { type, code, message, stack } = errorFields(error);
  const { cause, errors } = error instanceof Error ? (error as { cause?: unknown; errors?: unknown }) : {};
  return {
    ...{ type, message },
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(isFault(error) && { kind: error.kind, ...(error.hint !== undefined && { hint: error.hint }) }),
    ...(cause !== undefined && causes > 0 && { cause: postedError(cause, causes - 1) }),
    ...(Array.isArray(errors) &&
      causes > 0 && { errors: errors.slice(0, mostErrors).map((one) => postedError(one, 0)) }),
  };
}

/** A received fault has no details, because details are not posted. */
export function receivedError(posted: PostedError): Error {
  const { type, kind, code, message, hint, stack, errors } = posted;
  const options = posted.cause === undefined ? {} : { cause: receivedError(posted.cause) };
  if (kind !== undefined) return new Fault(kind, code as FaultCode, message, { ...options, ...(hint && { hint }) });
  const error = Object.assign(new Error(message, options), {
    name: type,
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors: errors.map(receivedError) }),
  });
  if (stack !== undefined) error.stack = `${type}: ${message}\n${stack}`;
  return error;
}

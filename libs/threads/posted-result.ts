import type { Fault } from '#fault';

/**
 * The message with which a thread ends a task: its result, or the members of its fault. A thread cannot post an object
 * with its class.
 */
export type PostedResult<Result> =
  { readonly result: Result } | { readonly fault: Pick<Fault, 'kind' | 'code' | 'message' | 'hint' | 'details'> };

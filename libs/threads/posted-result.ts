import type { Fault } from '#fault';

/** A fault is posted as its members, because a thread cannot post an object with its class. */
export type PostedResult<Result> =
  { readonly result: Result } | { readonly fault: Pick<Fault, 'kind' | 'code' | 'message' | 'hint' | 'details'> };

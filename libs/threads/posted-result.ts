import type { Fault } from '#fault';

/** What a thread posts about a task: its result, or its fault without the class, which threads cannot pass on. */
export type PostedResult<Result> =
  { readonly result: Result } | { readonly fault: Pick<Fault, 'kind' | 'code' | 'message' | 'hint' | 'details'> };

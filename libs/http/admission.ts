import type { FastifyRequest } from './fastify';

/** Decides whether a client may send a request. Throws a fault if it may not. */
export type Admission = (request: FastifyRequest) => void | Promise<void>;

const admissions = new WeakMap<FastifyRequest, Admission>();

/** Admits a request, and keeps the decision for `admitAgain`. */
export async function admit(request: FastifyRequest, admission: Admission): Promise<void> {
  admissions.set(request, admission);
  await admission(request);
}

/**
 * Repeats the decision of `admit` during a long answer. Throws a fault if the client's credential is no longer valid.
 */
export async function admitAgain(request: FastifyRequest): Promise<void> {
  await admissions.get(request)?.(request);
}

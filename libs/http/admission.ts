import type { FastifyRequest } from './fastify';

export type Admission = (request: FastifyRequest) => void | Promise<void>;

const admissions = new WeakMap<FastifyRequest, Admission>();

export async function admit(request: FastifyRequest, admission: Admission): Promise<void> {
  admissions.set(request, admission);
  await admission(request);
}

/** Repeats the decision of `admit` during a long answer, because the client's credential can become invalid. */
export async function admitAgain(request: FastifyRequest): Promise<void> {
  await admissions.get(request)?.(request);
}

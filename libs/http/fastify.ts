/** Exports types of Fastify from one place, because the package comes with the adapter of NestJS. */
export type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

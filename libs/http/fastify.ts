/** The project gets Fastify only through NestJS's adapter, so only this file imports its types. */
export type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

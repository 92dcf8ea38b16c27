/** Exports Fastify's types from one place, because the project gets Fastify only through NestJS's adapter. */
export type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

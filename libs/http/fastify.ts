/** The server's own types, by one door: the package comes with the Nest adapter. */
export type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

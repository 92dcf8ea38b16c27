import type { FastifyInstance } from './fastify';

export const securityHeaders = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;

const transportSecurity = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * Adds security headers to all answers. `onlyTls` must be true only if every listener uses TLS. If it is false, the
 * header strict-transport-security is left out, because browsers that have received it would refuse to use an
 * unencrypted listener.
 */
export function addSecurityHeaders(server: FastifyInstance, onlyTls: boolean): void {
  const headers = onlyTls ? { ...securityHeaders, ...transportSecurity } : securityHeaders;
  server.addHook('onSend', async (_request, reply, payload) => {
    void reply.headers(headers);
    return payload;
  });
}

import type { FastifyInstance } from './fastify';

export const securityHeaders = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;

const transportSecurity = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * `onlyTls` means that no listener is unencrypted. Otherwise the header for TLS is left out, because browsers could no
 * longer reach an unencrypted listener.
 */
export function addSecurityHeaders(server: FastifyInstance, onlyTls: boolean): void {
  const headers = onlyTls ? { ...securityHeaders, ...transportSecurity } : securityHeaders;
  server.addHook('onSend', async (_request, reply, payload) => {
    void reply.headers(headers);
    return payload;
  });
}

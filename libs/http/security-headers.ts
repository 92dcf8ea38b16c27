import type { FastifyInstance } from './fastify';

/** Browsers then do not guess another content type, and do not show the answer in a frame of another page. */
export const securityHeaders = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;

/** Browsers that receive this use only TLS, on every port of the host. */
const transportSecurity = { 'strict-transport-security': 'max-age=31536000' } as const;

/** `onlyTls`: no listener uses unencrypted HTTP, which browsers could no longer reach. */
export function addSecurityHeaders(server: FastifyInstance, onlyTls: boolean): void {
  const headers = onlyTls ? { ...securityHeaders, ...transportSecurity } : securityHeaders;
  server.addHook('onSend', async (_request, reply, payload) => {
    void reply.headers(headers);
    return payload;
  });
}

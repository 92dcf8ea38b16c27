import type { FastifyInstance } from './fastify';

/** No browser takes an answer for another kind of content than it says, or shows it inside a page of others. */
export const securityHeaders = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;

/** Browsers that saw this use TLS only, on every port of the host. */
const transportSecurity = { 'strict-transport-security': 'max-age=31536000' } as const;

/** `onlyTls`: no listener speaks clear text. Otherwise browsers would be kept from the one that does. */
export function addSecurityHeaders(server: FastifyInstance, onlyTls: boolean): void {
  const headers = onlyTls ? { ...securityHeaders, ...transportSecurity } : securityHeaders;
  server.addHook('onSend', async (_request, reply, payload) => {
    void reply.headers(headers);
    return payload;
  });
}

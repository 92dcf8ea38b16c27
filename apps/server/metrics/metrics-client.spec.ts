import type { FastifyRequest } from '#http';
import { requireMetricsClient } from './metrics-client';

const from = (socket: object) => (): void => requireMetricsClient({ raw: { socket } } as FastifyRequest);

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s may ask without TLS', (remoteAddress) => {
  expect(from({ remoteAddress })).not.toThrow();
});

test.each(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '1270.0.0.1', '128.0.0.1', '::127.0.0.1', undefined])(
  '%s may not',
  (remoteAddress) => {
    expect(from({ remoteAddress })).toThrow(expect.objectContaining({ code: 'metrics.forbidden', kind: 'forbidden' }));
  },
);

test('over TLS the certificate decides, not the address', () => {
  expect(from({ remoteAddress: '192.0.2.7', encrypted: true, authorized: true })).not.toThrow();
  expect(from({ remoteAddress: '127.0.0.1', encrypted: true, authorized: false })).toThrow(
    expect.objectContaining({ code: 'metrics.forbidden' }),
  );
});

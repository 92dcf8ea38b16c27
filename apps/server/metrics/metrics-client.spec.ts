import { type Caller, type FastifyRequest, setCaller } from '#http';
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

const by = (caller: Caller, remoteAddress: string) => (): void => {
  const request = { raw: { socket: { remoteAddress } } } as FastifyRequest;
  setCaller(request, caller);
  requireMetricsClient(request);
};

test('over TLS the certificate decides, not the address; a token decides everywhere', () => {
  expect(by({ secure: true, certname: 'ops.test' }, '192.0.2.7')).not.toThrow();
  expect(by({ secure: true }, '127.0.0.1')).toThrow(expect.objectContaining({ code: 'metrics.forbidden' }));
  expect(by({ secure: true, token: 'dashboard' }, '192.0.2.7')).not.toThrow();
  expect(by({ secure: false, token: 'dashboard' }, '192.0.2.7')).not.toThrow();
});

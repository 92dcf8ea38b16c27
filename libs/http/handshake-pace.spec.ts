import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectClear, Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { Module } from '@nestjs/common';
import { defaultLimits } from '#limits';
import { Authority } from '../../test/support/certificates';
import { until } from '../../test/support/until';
import { HandshakePace, paceHandshakes } from './handshake-pace';
import { openHttp } from './open-http';

@Module({})
class EmptyModule {}

test('the pace holds for each address by itself', () => {
  const pace = new HandshakePace(2);
  expect(Array.from({ length: 6 }, () => pace.delay('a', 0))).toEqual([0, 0, 0, 0, 500, 1_000]);
  expect([pace.delay('b', 0), pace.delay('a', 1_500)]).toEqual([0, 0]);
});

test('who would wait too long is refused, and that costs nothing further', () => {
  const pace = new HandshakePace(1);
  const waits = Array.from({ length: 1_000 }, () => pace.delay('a', 0));
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(12);
  expect(pace.delay('a', 1_000)).toBe(10_000);
});

test('addresses that rest are forgotten', () => {
  const pace = new HandshakePace(20);
  for (let at = 0; at < 100_000; at++) pace.delay(String(at), at);
  expect(pace.size).toBeLessThan(2_000);
});

test('an address that must wait is not forgotten, however many others come', () => {
  const pace = new HandshakePace(1);
  for (let turn = 0; turn < 12; turn++) pace.delay('a', 0);
  for (let at = 0; at < 5_000; at++) pace.delay(String(at), 0);
  expect(pace.delay('a', 0)).toBeUndefined();
});

test('a client that begins many handshakes waits, and then loses its connections; others go on', async () => {
  const authority = Authority.make('CA');
  const own = authority.issue('localhost');
  const refusals: string[] = [];
  const options = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
  const server = await openHttp(EmptyModule, {
    listeners: [{ host: '127.0.0.1', port: 0, tls: { options, attach: () => undefined, refusal: () => undefined } }],
    maxBodyBytes: 1_000,
    limits: { ...defaultLimits, handshakes: 5 },
    refused: (reason) => refusals.push(reason),
  });
  const port = Number(new URL(server.urls[0]!).port);
  const open = (localAddress: string): TLSSocket =>
    connect({
      socket: connectClear({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined),
      servername: 'localhost',
      ca: authority.certificate,
    });
  const finished: string[] = [];
  const many = Array.from({ length: 80 }, () =>
    open('127.0.0.2')
      .on('error', () => undefined)
      .once('secureConnect', () => finished.push('many')),
  );
  try {
    // 10 handshakes begin at once, 50 wait at most 10 seconds, and all others are refused.
    await until(() => refusals.length >= 15);
    expect(refusals[0]).toMatch(/more than 5 TLS handshakes a second \(NODELEDGER_MAX_HANDSHAKES\)/);
    const other = open('127.0.0.3');
    await once(other, 'secureConnect');
    finished.push('other');
    other.destroy();
    await until(() => finished.at(-1) === 'many' && finished.length > 15);
    expect(finished.indexOf('other')).toBeLessThan(40);
    // The handshake of a connection that waited can fail for other reasons.
    expect(refusals.filter((reason) => reason.includes('(NODELEDGER_MAX_HANDSHAKES)')).length).toBeLessThanOrEqual(20);
  } finally {
    for (const socket of many) socket.destroy();
    await server.close();
    authority.remove();
  }
});

test('the handshake of a connection that was closed while it waited does not begin', async () => {
  const server = new EventEmitter() as unknown as Parameters<typeof paceHandshakes>[0];
  const begun: Socket[] = [];
  server.on('connection', (socket: Socket) => begun.push(socket));
  paceHandshakes(server, new HandshakePace(50), defaultLimits, () => undefined);
  const sockets = Array.from({ length: 102 }, () => new Socket());
  for (const socket of sockets) server.emit('connection', socket);
  sockets[100]!.destroy();
  await until(() => begun.includes(sockets[101]!));
  expect(begun).not.toContain(sockets[100]);
});

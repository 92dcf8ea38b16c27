import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamicModule, Type } from '@nestjs/common';
import { type HttpOptions, type HttpServer, openHttp } from '#http';
import { defaultLimits } from '#limits';
import { ServiceState } from '#observe';
import { ObserveModule } from '#observe/http';
import type { Example } from './example';
import { answered, ask, checked, socketTo, sendBytes } from './http-client';
import { type LittleService, ProbeModule } from './little-service';

const nodes = '/pdb/query/v4/nodes';
const submission = '/pdb/cmd/v1?command=replace_facts&version=5&certname=web1';

/** Causes every fault of HTTP itself that a client can see. */
export async function httpExamples({ url }: LittleService): Promise<Example[]> {
  const chunked = `POST ${nodes} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`;
  const found = [
    await answered('http.not-found', url, '/pdb/query/v3/nodes'),
    await unknownService(),
    checked('http.request', 'GET /pdb/query/v4/nodes/%', await sendBytes(await socketTo(url), closing(`${nodes}/%`))),
    await answered('http.broken', url, '/probe/broken', { given: 'A request that the service fails to answer' }),
    await answered('http.not-acceptable', url, nodes, { headers: { Accept: 'text/html' } }),
    await answered('http.content-type', url, submission, {
      method: 'POST',
      headers: { 'Content-Type': 'text/yaml' },
      body: 'certname: web1',
    }),
    await answered('http.encoding', url, nodes, {
      method: 'POST',
      headers: { 'Content-Encoding': 'br' },
      body: '{"query": ["=", "certname", "web1"]}',
    }),
    await answered('http.body', url, nodes, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip' },
      body: '{"query": ["=", "certname", "web1"]}',
    }),
    await answered('http.body-too-large', url, submission, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip' },
      body: Buffer.alloc(50_000),
      given: `POST ${submission}, with a body of 50,000 bytes`,
    }),
    checked(
      'http.unreadable',
      'Bytes that are no HTTP, such as those of TLS',
      await sendBytes(await socketTo(url), '\x16\x03\x01\r\n\r\n'),
    ),
    checked(
      'http.chunk-extensions',
      'A chunk with an extension of 20,000 bytes',
      await sendBytes(await socketTo(url), `${chunked}1;${'x'.repeat(20_000)}\r\n`),
    ),
    checked(
      'http.limit',
      'GET /pdb/query/v4/nodes?query=…, of 300,000 bytes',
      await sendBytes(await socketTo(url), closing(`${nodes}?query=${'a'.repeat(300_000)}`)),
    ),
  ];
  return [...found, await slow(), await connections(), await crowded()];
}

/** A request that matches no name: only unknown names are requested. */
class NoLook extends ServiceState {
  readonly version = '0';
  readonly reportedVersion = '0';
  readonly logId = null;
  readonly product = 'nodeledger';
  readonly draining = false;
  readonly stopping = false;
  alerts(): [] {
    return [];
  }
  look(): Promise<never> {
    return Promise.reject(new Error('nobody looks'));
  }
}

const unknownService = (): Promise<Example> =>
  withServer(
    {},
    ({ urls }) => answered('http.not-found', urls[0] ?? '', '/status/v1/services/none'),
    ObserveModule.register(new NoLook()),
  );

const closing = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;

async function withServer<T>(
  options: Partial<HttpOptions>,
  work: (server: HttpServer) => Promise<T>,
  module: Type | DynamicModule = ProbeModule,
): Promise<T> {
  const server = await openHttp(module, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000_000,
    graceMs: 100,
    ...options,
  });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

const slow = (): Promise<Example> =>
  withServer({ arrival: { headersMs: 400, wholeMs: 800, checkMs: 100 } }, async ({ urls }) =>
    checked(
      'http.slow',
      'A request whose headers take longer than 30 seconds',
      await sendBytes(await socketTo(urls[0] ?? ''), 'GET / HTTP/1.1\r\nhos'),
    ),
  );

const connections = (): Promise<Example> =>
  withServer({ limits: { ...defaultLimits, connections: 10 } }, async ({ urls }) => {
    const url = urls[0] ?? '';
    const open = [];
    for (let at = 0; at < 5; at++) open.push(await socketTo(url));
    const answer = await sendBytes(await socketTo(url), '');
    for (const socket of open) socket.destroy();
    return checked(
      'http.connections',
      'A connection from an address that has 5 open, with NODELEDGER_MAX_CONNECTIONS=10',
      answer,
    );
  });

/** Four clients with different addresses fill the memory for bodies. */
const crowded = (): Promise<Example> =>
  withServer({ limits: { ...defaultLimits, heldBodyBytes: 1_000_000 } }, async ({ urls }) => {
    const url = urls[0] ?? '';
    const open = [];
    for (let at = 2; at < 8; at++) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: `127.0.0.${at}` });
      socket.on('error', () => undefined);
      open.push(socket);
      await once(socket, 'connect');
      socket.write(
        'POST /probe/body HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 900000\r\n\r\n',
      );
      await new Promise((resolve) => socket.write('x'.repeat(850_000), resolve));
    }
    try {
      // The bytes count after the service has read them.
      for (;;) {
        const answer = await ask(url, '/probe/body', { method: 'POST', body: 'x'.repeat(900_000) });
        if (answer.code === 'http.crowded')
          return checked(
            'http.crowded',
            'POST with a body of 900,000 bytes, while many large bodies are on their way',
            answer,
          );
        await delay(100);
      }
    } finally {
      for (const socket of open) socket.destroy();
    }
  });

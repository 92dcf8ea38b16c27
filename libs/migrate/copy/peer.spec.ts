import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { until } from '../../../test/support/until';
import { Peer } from './peer';
import { Submitter } from './submitter';

let server: Server;
let peer: Peer;
let answer: RequestListener;
let requests: number;
let stop: AbortController;
const retries: string[] = [];

beforeEach(async () => {
  requests = 0;
  retries.length = 0;
  stop = new AbortController();
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  peer = new Peer({
    ...{ url: `http://127.0.0.1:${port}`, name: 'the source', connections: 1 },
    signal: stop.signal,
    onRetry: (text) => void retries.push(text),
  });
});
afterEach(() => {
  peer.close();
  server.close();
});

it.each([429, 502, 503, 504])('repeats a request that is answered %i', async (status) => {
  answer = (_, response) => (requests === 1 ? void response.writeHead(status).end('busy') : void response.end('[]'));
  const { body } = await peer.ask({ method: 'GET', path: '/pdb/query/v4/nodes' });
  expect([requests, body.toString()]).toEqual([2, '[]']);
  expect(retries).toEqual([`the source answers ${status}: busy; asking again in 0.5 s`]);
});

it.each([
  ['a request that the server refuses', 400, 'migrate.refused'],
  ['a request without permission', 403, 'migrate.refused'],
])('does not repeat %s', async (_, status, code) => {
  answer = (_request, response) => void response.writeHead(status).end('no');
  await expect(peer.ask({ method: 'GET', path: '/' })).rejects.toMatchObject({ kind: 'broken', code });
  expect(requests).toBe(1);
});

it('waits no longer than 15 seconds, although the server asks for more', async () => {
  answer = (_, response) => void response.writeHead(503, { 'retry-after': '3600' }).end('busy');
  const asking = peer.ask({ method: 'GET', path: '/' });
  const ended = expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  await until(() => retries.length > 0);
  stop.abort();
  await ended;
  expect(retries).toEqual(['the source answers 503: busy; asking again in 15 s']);
});

it('tells at once that a server is not there', async () => {
  server.close();
  await expect(peer.ask({ method: 'GET', path: '/' })).rejects.toMatchObject({ code: 'migrate.unreachable' });
  expect(retries).toEqual([]);
});

it('repeats a request whose compressed answer is cut off', async () => {
  const whole = gzipSync(JSON.stringify(Array.from({ length: 1_000 }, (_, n) => n)));
  answer = (_, response) => {
    response.setHeader('content-encoding', 'gzip');
    // The first answer proves to the peer that the server exists.
    response.end(requests === 2 ? whole.subarray(0, whole.length - 20) : whole);
  };
  await peer.ask({ method: 'GET', path: '/' });
  const { body } = await peer.ask({ method: 'GET', path: '/' });
  expect(requests).toBe(3);
  expect(JSON.parse(body.toString())).toHaveLength(1_000);
});

it('returns what the target says against a command', async () => {
  answer = (_, response) => void response.writeHead(413).end('too large');
  const command = { command: 'replace facts', version: 5, certname: 'web', payload: '{}' } as const;
  const submitter = new Submitter(peer);
  expect(await submitter.submit(command)).toBe('413: too large');
  expect([requests, submitter.submitted]).toEqual([1, 0]);
});

import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, Socket } from 'node:net';
import { until } from '../../test/support/until';
import { closeGently, closesGently } from './close-gently';

let server: Server;
let accepted: Socket;
let client: Socket;
let heard: string;

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = once(server, 'connection');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  heard = '';
  client.setEncoding('latin1').on('data', (text: string) => (heard += text));
  client.on('error', () => undefined);
  [accepted] = (await connection) as [Socket];
});
afterEach(async () => {
  client.destroy();
  accepted.destroy();
  server.close();
  await once(server, 'close');
});

test('a second call changes nothing: the client gets the last bytes of the first one', async () => {
  closeGently(accepted, 'first');
  closeGently(accepted, 'second');
  await once(client, 'end');
  expect(heard).toBe('first');
  await until(() => accepted.destroyed);
});

test('earlier readers do not see what the client sends afterwards, and the client may send a number of bytes', async () => {
  client.allowHalfOpen = true;
  const pieces: Buffer[] = [];
  accepted.on('data', (piece: Buffer) => pieces.push(piece));
  closeGently(accepted, 'refused', { bytes: 1_000, ms: 60_000 });
  client.write('x'.repeat(500));
  await until(() => accepted.bytesRead === 500);
  expect([pieces, accepted.destroyed]).toEqual([[], false]);
  client.write('x'.repeat(501));
  await until(() => accepted.destroyed);
});

test('a client that keeps its connection loses it after a time', async () => {
  const half = new Socket({ allowHalfOpen: true });
  half.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [other] = (await once(server, 'connection')) as [Socket];
  closeGently(other, '', { bytes: 1_000, ms: 50 });
  await until(() => other.destroyed);
  half.destroy();
});

test('an answer whose connection is gone is left as it is', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  closesGently(response);
  expect(response.getHeader('connection')).toBeUndefined();
});

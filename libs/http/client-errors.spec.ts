import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { defaultLimits } from '#limits';
import { until } from '../../test/support/until';
import { answerClientErrors } from './client-errors';
import { OpenRequests } from './open-requests';

test.each([
  ['before an answer', 'HTTP/1.1 400 Bad Request'],
  ['in the middle of an answer', undefined],
])('bytes that are not HTTP %s: %s', async (_, expected) => {
  const open = new OpenRequests();
  const server = createServer();
  answerClientErrors(server, open, defaultLimits);
  server.on(
    'request',
    open.kept((_request, response) => void response.write('first part')),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  client.setEncoding('latin1').on('data', (text: string) => (heard += text));
  client.on('error', () => undefined);
  if (expected === undefined) {
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => heard.includes('first part'));
    heard = '';
  }
  client.write('nonsense\r\n\r\n');
  await until(() => client.closed);
  expect(heard.split('\r\n')[0]).toBe(expected ?? '');
  server.close();
  await once(server, 'close');
});

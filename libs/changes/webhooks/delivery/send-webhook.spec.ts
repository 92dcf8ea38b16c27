/** Sends to real receivers over HTTP and HTTPS, on addresses of the loopback network. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Authority } from '../../../../test/support/certificates';
import { type Answering, signatureOf, WebhookReceiver } from '../../../../test/support/webhook-receiver';
import { newSigningSecret, signingKey } from '../secrets/signing-secret';
import { AddressRules } from '../targets/address-rules';
import { TargetRules } from '../targets/target-rules';
import { messageId, type SenderOptions, WebhookSender } from './send-webhook';

const secret = newSigningSecret();
const message = { event: 'e1/expired/web1.example.com', body: Buffer.from('{"id":"e1","data":{}}') };
const open: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function receiver(options: Parameters<typeof WebhookReceiver.open>[1] = {}): Promise<WebhookReceiver> {
  const opened = await WebhookReceiver.open(secret, options);
  open.push(opened);
  return opened;
}

interface Over extends Partial<SenderOptions> {
  readonly allow?: readonly string[];
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly secrets?: readonly string[];
}

function senderTo(url: string, over: Over = {}): WebhookSender {
  const { allow = ['127.0.0.1'], resolve = async () => ['127.0.0.1'], secrets = [secret], ...options } = over;
  const rules = new TargetRules({
    addresses: new AddressRules(allow),
    httpHosts: ['127.0.0.1', '127.0.0.2', 'receiver.test', 'localhost'],
    resolve,
  });
  const sender = new WebhookSender(url, secrets.map(signingKey), 1, { version: '1.0.0', rules, ...options });
  open.push(sender);
  return sender;
}

test('a message has the headers of the specification, and a retry the same id', async () => {
  const to = await receiver();
  const sender = senderTo(to.url);
  expect(await sender.send(message)).toEqual({ status: 204, ms: expect.any(Number) as number });
  await sender.send(message);
  const [first, second] = to.messages;
  expect(to.unsigned).toEqual([]);
  expect(first?.id).toBe(messageId(message.event));
  expect(second?.id).toBe(first?.id);
  expect(first?.id).toMatch(/^msg_[\w-]{27}$/);
  expect(Math.abs((first?.timestamp ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
  expect(first?.body).toBe(message.body.toString());
  expect(to.connections).toBe(1);
});

test('while a secret is replaced, a message has a signature by each of the two', async () => {
  const to = await receiver();
  const before = newSigningSecret();
  await senderTo(to.url, { secrets: [secret, before] }).send(message);
  const [received] = to.messages;
  expect(received?.signatures).toEqual([secret, before].map((one) => signatureOf(received!, one)));
});

describe('TLS', () => {
  const authority = Authority.make('receivers');
  const { cert, key } = authority.issue('receiver', { san: 'DNS:receiver.test' });
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  const secureContext = createSecureContext({ ca: authority.certificate });

  test('a certificate of a known CA for the host of the URL is accepted', async () => {
    const to = await receiver({ tls });
    const attempt = await senderTo(`https://receiver.test:${to.port}/`, { secureContext }).send(message);
    expect(attempt).toMatchObject({ status: 204 });
  });

  test('an unknown CA and another host are refused, before anything is sent', async () => {
    const to = await receiver({ tls });
    expect(await senderTo(`https://receiver.test:${to.port}/`).send(message)).toMatchObject({
      status: null,
      error: 'the CA of the certificate is not known',
    });
    expect(await senderTo(`https://other.test:${to.port}/`, { secureContext }).send(message)).toMatchObject({
      error: 'the certificate is for another host',
    });
    expect(to.messages).toEqual([]);
  });
});

describe('addresses', () => {
  test('a resolver that changes its answer: each connection goes to the address that was checked for it', async () => {
    const allowed = await receiver();
    // The port in the URL is open at both addresses.
    const both = createServer((socket) => void socket.end());
    await new Promise<void>((done) => both.listen(allowed.port, '127.0.0.2', done));
    open.push({ close: () => void both.close() });
    let connected = 0;
    both.on('connection', () => connected++);
    const answers = [
      ['127.0.0.1'],
      ['127.0.0.2'],
      ['127.0.0.1', '127.0.0.2'],
      ['::ffff:127.0.0.2'],
      ['169.254.169.254'],
    ];
    let lookups = 0;
    const resolve = async (): Promise<readonly string[]> => answers[lookups++] ?? [];
    const send = async () => senderTo(`http://receiver.test:${allowed.port}/`, { resolve }).send(message);
    expect(await send()).toMatchObject({ status: 204 });
    expect(await send()).toMatchObject({
      status: null,
      error: expect.stringContaining('127.0.0.2, which is not public') as string,
    });
    expect(await send()).toMatchObject({ status: 204 });
    expect(await send()).toMatchObject({ status: null, error: expect.stringContaining('not public') as string });
    expect(await send()).toMatchObject({ status: null, error: expect.stringContaining('169.254.169.254') as string });
    // Each connection made one lookup.
    expect(lookups).toBe(5);
    expect(connected).toBe(0);
  });

  test('an IPv4-mapped address is refused, in a URL and from a resolver', async () => {
    const to = await receiver();
    expect(() => senderTo(`https://[::ffff:127.0.0.1]:${to.port}/`, { allow: [] })).toThrow('not public');
    const resolve = async (): Promise<string[]> => ['::ffff:127.0.0.1'];
    const attempt = await senderTo(`http://receiver.test:${to.port}/`, { allow: [], resolve }).send(message);
    expect(attempt).toMatchObject({ status: null, error: expect.stringContaining('::ffff:127.0.0.1') as string });
    expect(to.connections).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])('a redirect (%d) to a link-local address is a failure', async (status) => {
    const [to, elsewhere] = [await receiver(), await receiver({ host: '127.0.0.2' })];
    for (const location of ['http://169.254.169.254/latest/meta-data', elsewhere.url]) {
      to.answer = (_, response) => void response.writeHead(status, { location }).end();
      expect(await senderTo(to.url).send(message)).toEqual({
        status,
        ms: expect.any(Number) as number,
        error: `status ${status}: redirects are not followed`,
      });
    }
    expect(elsewhere.connections).toBe(0);
  });
});

describe('answers', () => {
  test.each<[number, string | undefined, object]>([
    [200, undefined, {}],
    [500, undefined, { error: 'status 500' }],
    [503, '7', { error: 'status 503', retryAfterMs: 7_000 }],
    [429, '99999999', { error: 'status 429', retryAfterMs: 3_600_000 }],
    [429, 'soon', { error: 'status 429' }],
    [404, 'Thu, 01 Jan 1970 00:00:00 GMT', { error: 'status 404', retryAfterMs: 0 }],
  ])('%d with Retry-After %p', async (status, after, outcome) => {
    const to = await receiver();
    to.answer = (_, response) =>
      void response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end('x');
    expect(await senderTo(to.url).send(message)).toEqual({ status, ms: expect.any(Number) as number, ...outcome });
  });

  test('an endless answer counts by its status, and is cut off', async () => {
    const to = await receiver();
    let written = 0;
    to.answer = (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        written += 65_536;
        if (!response.destroyed && response.write(Buffer.alloc(65_536))) setImmediate(more);
      };
      response.on('drain', more);
      more();
      return undefined;
    };
    expect(await senderTo(to.url).send(message)).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(50_000_000);
  });

  const impatient = (url: string) => senderTo(url, { timeoutMs: 300 }).send(message);

  test.each<[string, Answering, string]>([
    [
      'long headers',
      (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
      'HPE_HEADER_OVERFLOW',
    ],
    ['no answer', () => undefined, 'no answer in time'],
    ['half an answer', (_, response) => void response.writeHead(200).write('x'), 'no answer in time'],
    ['a closed connection', (_, response) => void response.destroy(), 'the connection was closed before an answer'],
  ])('%s: a failure, in time', async (_, answer, error) => {
    const to = await receiver();
    to.answer = answer;
    expect(await impatient(to.url)).toMatchObject({ status: null, error: expect.stringContaining(error) as string });
  });

  test('a server that does not speak HTTP, and nobody at the port: a failure', async () => {
    const mail = createServer((socket) => socket.resume().end('220 mail.example.com ESMTP\r\n'));
    await new Promise<void>((done) => mail.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(mail.address() as AddressInfo).port}/`;
    expect(await impatient(url)).toMatchObject({ status: null, error: expect.stringContaining('HPE_') as string });
    await new Promise((done) => mail.close(done));
    expect(await impatient(url)).toMatchObject({ status: null, error: 'the connection was refused' });
  });

  test('an answer that changes the protocol: a failure', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      );
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    open.push({ close: () => void other.close() });
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    expect(await senderTo(url).send(message)).toMatchObject({ status: null, error: 'the connection failed' });
  });

  test('a stop interrupts the attempt', async () => {
    const to = await receiver();
    to.answer = () => undefined;
    const stopping = new AbortController();
    const sending = senderTo(to.url).send(message, stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    await expect(sending).rejects.toThrow('abort');
  });
});

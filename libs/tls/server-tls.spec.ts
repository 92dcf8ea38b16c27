/**
 * Tests real connections to a TLS server: which clients the server accepts, why it refuses others, and what happens
 * when its files change.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, request as send } from 'node:https';
import { type AddressInfo, connect as connectClear } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, createServer, type TLSSocket } from 'node:tls';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import { Access, Allowlist, Gate, joinGrants } from '#access';
import { FileContent } from '#config';
import { answerStream, callerOf, type FastifyReply, type FastifyRequest, type HttpServer, openHttp } from '#http';
import { Authority, type Issued } from '../../test/support/certificates';
import { until } from '../../test/support/until';
import { ServerTls } from './server-tls';

/** Functions that let the waiting answers end. */
const held: (() => void)[] = [];

@Controller()
class Probe {
  @Get(['pdb/who', 'status/v1/who'])
  who(@Req() request: FastifyRequest): string {
    return JSON.stringify(callerOf(request));
  }

  /** A route whose answers wait until the test releases them. */
  @Get('pdb/slow')
  async slow(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply, slowText());
  }
}

async function* slowText(): AsyncGenerator<string> {
  yield 'x'.repeat(100_000);
  await new Promise<void>((resolve) => held.push(resolve));
  yield 'the end';
}

@Module({ controllers: [Probe] })
class ProbeModule {}

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-tls-'));
const inFolder = (name: string): string => join(folder, name);
const root = Authority.make('Root');
const middle = root.intermediate('Middle');
const stranger = Authority.make('Stranger');
const client = middle.issue('alice.test');
const files = { cert: inFolder('cert'), key: inFolder('key'), ca: inFolder('ca'), crl: inFolder('crl') };
const refusals: string[] = [];

function writeServer({ cert, key }: Issued): void {
  copyFileSync(cert, files.cert);
  copyFileSync(key, files.key);
}
const writeLists = (): void => writeFileSync(files.crl, middle.revocationList() + root.revocationList());

let tls: ServerTls;
let allowlist: FileContent<Allowlist>;
let server: HttpServer;
let port: number;

beforeAll(async () => {
  writeServer(middle.issue('server.test'));
  writeFileSync(files.ca, middle.certificate + root.certificate);
  writeLists();
  writeFileSync(inFolder('list'), '# who may\n\n alice.test \nfirst.test\n');
  tls = await ServerTls.open(files);
  const list = { what: 'the list', path: inFolder('list'), code: 'tls.file' } as const;
  allowlist = await FileContent.open(list, (text) => Allowlist.parse(text));
  const gate = new Gate({ access: new Access(() => joinGrants(undefined, allowlist.current)) });
  server = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0, tls }],
    maxBodyBytes: 1_000,
    authorize: (request) => gate.check(request),
    refused: (reason) => refusals.push(reason),
  });
  port = Number(new URL(server.urls[0]!).port);
});
afterAll(async () => {
  await server.close();
  [root, stranger].forEach((authority) => authority.remove());
  rmSync(folder, { recursive: true });
});
beforeEach(() => void refusals.splice(0));

const credentials = (issued?: Issued): ConnectionOptions => ({
  ca: root.certificate,
  ...(issued === undefined ? {} : { cert: readFileSync(issued.cert), key: readFileSync(issued.key) }),
});

interface Answer {
  readonly status: number | undefined;
  readonly code: unknown;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function get(
  path: string,
  issued?: Issued,
  more: ConnectionOptions & { agent?: Agent; port?: number } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Without an agent, each request opens a connection.
    const options = { host: '127.0.0.1', port, path, servername: 'localhost', agent: false as const };
    const sent = send({ ...options, ...credentials(issued), ...more }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => (body += text));
      answer.once('error', reject);
      answer.once('end', () => {
        const { headers, statusCode: status } = answer;
        resolve({ status, code: headers['x-nodeledger-error'], headers, body });
      });
    });
    sent.once('error', reject).end();
  });
}

const session = (issued?: Issued, more: ConnectionOptions = {}): ClientHttp2Session =>
  connectHttp2(`https://127.0.0.1:${port}`, { servername: 'localhost', ...credentials(issued), ...more });

/** Sends the request over HTTP/2. */
async function getByHttp2(path: string, issued?: Issued, on?: ClientHttp2Session): Promise<Answer> {
  const own = on ?? session(issued);
  try {
    return await new Promise<Answer>((resolve, reject) => {
      let headers: NodeJS.Dict<string | string[]> = {};
      let body = '';
      own.once('error', reject);
      const stream = own.request({ ':path': path });
      stream.on('response', (found) => (headers = found as NodeJS.Dict<string | string[]>));
      stream.setEncoding('utf8').on('data', (text: string) => (body += text));
      stream.once('error', reject);
      stream.once('close', () => {
        if (stream.rstCode !== 0) reject(new Error('the answer was broken off'));
        resolve({ status: Number(headers[':status']), code: headers['x-nodeledger-error'], headers, body });
      });
    });
  } finally {
    if (on === undefined) own.close();
  }
}

describe('who is let in', () => {
  test.each([
    ['HTTP/1.1', get],
    ['HTTP/2', getByHttp2],
  ])('a client with a certificate of the authority: %s', async (_protocol, ask) => {
    const { status, body, headers } = await ask('/pdb/who', client);
    expect([status, JSON.parse(body)]).toEqual([200, { secure: true, certname: 'alice.test' }]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': expect.stringMatching(/^max-age=\d+$/) as string,
    });
    expect(headers).not.toHaveProperty('server');
  });

  test.each<[what: string, issued: () => Issued | undefined, why: RegExp]>([
    ['none', () => undefined, /^This service asks each client for a certificate/],
    [
      'of another authority',
      () => stranger.issue('alice.test'),
      /\(?CN=alice\.test.*no authority that this service knows/,
    ],
    ['without any name', () => nameless(), /^The client certificate \(no name\) is refused: no authority/],
    ['expired', () => middle.issue('alice.test', { validFrom: -3, validTo: -1 }), /has expired/],
    ['not yet valid', () => middle.issue('alice.test', { validFrom: 1, validTo: 2 }), /is not valid yet/],
    ['revoked', () => revoked(), /has been revoked/],
  ])('a certificate %s: 403 says why, and nothing is read as HTTP', async (_what, issued, why) => {
    for (const ask of [get, getByHttp2]) {
      const answer = await ask('/status/v1/who', issued());
      expect(answer).toMatchObject({ status: 403, code: 'http.client-certificate', body: expect.stringMatching(why) });
      expect(refusals.splice(0)).toEqual([expect.stringMatching(why)]);
    }
  });

  test('a client that is refused over HTTP/2 loses its connection, also if it asks for nothing', async () => {
    for (const asks of [true, false]) {
      const refused = session(stranger.issue('alice.test'));
      refused.on('error', () => undefined);
      if (asks) await getByHttp2('/pdb/who', undefined, refused);
      await until(() => refused.destroyed, { withinMs: 5_000 });
    }
  });

  /** Creates a self-signed certificate. */
  function nameless(): Issued {
    const [cert, key] = [inFolder('nameless.pem'), inFolder('nameless.key')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, '-subj', '/', '-out', cert, '-keyout', key], {
      stdio: 'pipe',
    });
    return { cert, key };
  }

  function revoked(): Issued {
    return revokedClient;
  }
  let revokedClient: Issued;
  beforeAll(async () => {
    revokedClient = middle.issue('gone.test');
    middle.revoke(revokedClient);
    writeLists();
    expect(await tls.reload()).toBe(true);
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(get('/pdb/who', client, old)).rejects.toThrow(/protocol version|EPROTO|ECONNRESET/);
    await until(() => refusals.length === 1);
    expect(refusals[0]).toMatch(/PROTOCOL/);
  });

  test('a client that wants to negotiate again, with another certificate, is refused', async () => {
    const options = { ...credentials(client), host: '127.0.0.1', port, servername: 'localhost' };
    const socket = connect({ ...options, maxVersion: 'TLSv1.2' });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    const outcome = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve);
      socket.renegotiate({}, resolve);
    });
    socket.destroy();
    expect(outcome).toMatchObject({ code: expect.stringMatching(/NO_RENEGOTIATION/) as string });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is accepted, and no session is resumed', async (version) => {
    const open = (session?: Buffer): Promise<{ resumed: boolean; session?: Buffer }> =>
      new Promise((resolve, reject) => {
        const only = { minVersion: version, maxVersion: version };
        const options = { ...credentials(client), ...only, ...(session === undefined ? {} : { session }) };
        const socket = connect({ ...options, host: '127.0.0.1', port, servername: 'localhost' });
        let given: Buffer | undefined;
        socket.on('session', (one: Buffer) => (given = one));
        socket.once('error', reject);
        socket.once('secureConnect', () =>
          socket.write('GET /pdb/who HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
        );
        socket.once('data', () => {
          const resumed = socket.isSessionReused();
          const kept = given ?? socket.getSession();
          socket.destroy();
          resolve({ resumed, ...(kept === undefined ? {} : { session: kept }) });
        });
      });
    const first = await open();
    expect(await open(first.session)).toMatchObject({ resumed: false });
  });

  test('a certificate at which the check itself fails ends its connection, and nothing else', async () => {
    const reasons: string[] = [];
    const failing = {
      options: tls.options,
      attach: () => undefined,
      refusal: () => {
        throw new RangeError('no certificate at all');
      },
    };
    const other = await openHttp(ProbeModule, {
      listeners: [{ host: '127.0.0.1', port: 0, tls: failing }],
      maxBodyBytes: 1_000,
      refused: (reason) => reasons.push(reason),
    });
    const at = { port: Number(new URL(other.urls[0]!).port) };
    for (let count = 1; count <= 2; count++) {
      await expect(get('/pdb/who', client, at)).rejects.toThrow();
      expect(reasons).toHaveLength(count);
    }
    await other.close();
  });

  test('if tokens are accepted, a client may have no certificate, but none that is refused', async () => {
    const open = await ServerTls.open(files, { withoutCertificate: true });
    const other = await openHttp(ProbeModule, {
      listeners: [{ host: '127.0.0.1', port: 0, tls: open }],
      maxBodyBytes: 1_000,
    });
    const at = { port: Number(new URL(other.urls[0]!).port) };
    try {
      const { status, body } = await get('/pdb/who', undefined, at);
      expect([status, JSON.parse(body)]).toEqual([200, { secure: true }]);
      expect((await get('/pdb/who', client, at)).status).toBe(200);
      expect((await get('/pdb/who', stranger.issue('alice.test'), at)).status).toBe(403);
    } finally {
      await other.close();
    }
  });

  test('a client that does not begin the handshake loses its connection', async () => {
    const other = await openHttp(ProbeModule, {
      listeners: [{ host: '127.0.0.1', port: 0, tls }],
      maxBodyBytes: 1_000,
      arrival: { headersMs: 100 },
      refused: (reason) => refusals.push(reason),
    });
    const silent = connectClear({ host: '127.0.0.1', port: Number(new URL(other.urls[0]!).port) });
    silent.on('error', () => undefined).resume();
    await until(() => silent.destroyed);
    expect(refusals).toEqual(['ERR_TLS_HANDSHAKE_TIMEOUT']);
    await other.close();
  });

  test('clear text on the port of TLS', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/pdb/who`)).rejects.toThrow();
    await until(() => refusals.length === 1);
    expect(refusals[0]).toMatch(/HTTP_REQUEST/);
  });
});

describe('the allowlist', () => {
  const denied = (name: string): string =>
    `Permission denied: The client certificate name ${name} doesnt appear in the certificate allowlist. Is your ` +
    "master's (or other PuppetDB client's) certname listed in PuppetDB's certificate-allowlist file?";

  test.each<[name: string, subject: string]>([
    ['bob.test', '/CN=bob.test'],
    ['ALICE.test', '/CN=ALICE.test'],
    ['second.test', '/CN=second.test/CN=first.test'],
    ['# who may', '/CN=# who may'],
  ])('%s is refused in the words of PuppetDB', async (name, subject) => {
    const issued = middle.issue(name, { subject });
    const { status, code, body } = await get('/pdb/who', issued);
    expect([status, code]).toEqual([403, 'http.not-listed']);
    expect(body.split('\n')[0]).toBe(denied(name));
    expect((await get('/%70db/who', issued)).status).toBe(403);
    expect((await get('/status/v1/who', issued)).status).toBe(200);
    expect((await get('/nope', issued)).status).toBe(403);
    const again = await getByHttp2('/pdb/who', issued);
    expect([again.status, again.code, again.body]).toEqual([status, code, body]);
    expect((await getByHttp2('/status/v1/who', issued)).status).toBe(200);
  });

  test('a certificate without a common name has no role', async () => {
    const issued = middle.issue('nobody', { subject: '/O=nobody' });
    expect(await get('/pdb/who', issued)).toMatchObject({ status: 401, code: 'access.credential' });
    expect((await get('/status/v1/who', issued)).status).toBe(200);
  });

  test.each([
    ['a long name', `/CN=${'n'.repeat(64)}/O=${'o'.repeat(64)}`],
    ['many names', '/CN=many'.repeat(1_000)],
    ['a name of other characters', `/CN=${'\u00fc'.repeat(30)}`],
  ])('%s is refused in few words', async (what, subject) => {
    const { status, code, body } = await get('/pdb/who', middle.issue('wide', { subject }));
    expect([what, status, code]).toEqual([what, 403, 'http.not-listed']);
    expect(body.length).toBeLessThan(600);
  });

  test('of several names the first counts', async () => {
    const issued = middle.issue('two', { subject: '/CN=first.test/CN=second.test' });
    expect(JSON.parse((await get('/pdb/who', issued)).body)).toMatchObject({ certname: 'first.test' });
  });

  test('is read again; a file that is gone changes nothing', async () => {
    const carol = middle.issue('carol.test');
    expect((await get('/pdb/who', carol)).status).toBe(403);
    writeFileSync(inFolder('list'), 'alice.test\r\ncarol.test\r\nfirst.test');
    await allowlist.reload();
    expect((await get('/pdb/who', carol)).status).toBe(200);
    rmSync(inFolder('list'));
    await expect(allowlist.reload()).rejects.toMatchObject({ code: 'tls.file' });
    expect((await get('/pdb/who', carol)).status).toBe(200);
  });
});

describe('while it runs', () => {
  const kept = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

  test('a new certificate serves new connections; requests on old ones go on', async () => {
    const agent = kept();
    const slow = get('/pdb/slow', client, { agent: kept() });
    const open = session(client);
    const alsoSlow = getByHttp2('/pdb/slow', undefined, open);
    await until(() => held.length === 2);
    expect((await get('/pdb/who', client, { agent })).status).toBe(200);
    writeServer(middle.issue('renewed.test'));
    expect(await tls.reload()).toBe(true);
    expect(await tls.reload()).toBe(false);
    expect(await serverName()).toBe('renewed.test');
    expect((await get('/pdb/who', client, { agent })).status).toBe(200);
    expect((await getByHttp2('/pdb/who', undefined, open)).status).toBe(200);
    held.splice(0).forEach((release) => release());
    expect((await slow).body.endsWith('the end')).toBe(true);
    expect((await alsoSlow).body.endsWith('the end')).toBe(true);
    agent.destroy();
    open.close();
  });

  test('no request fails while certificates and lists change', async () => {
    const agents = [kept(), kept(), undefined];
    let isOver = false;
    const ask = async (agent: Agent | undefined): Promise<number> => {
      let answered = 0;
      for (; !isOver; answered++) {
        expect((await get('/pdb/who', client, agent === undefined ? {} : { agent })).status).toBe(200);
      }
      return answered;
    };
    const asking = Promise.all(agents.map(ask));
    for (let at = 0; at < 5; at++) {
      writeServer(middle.issue(`renewed${at}.test`));
      middle.revoke(middle.issue(`gone${at}.test`));
      writeLists();
      expect(await tls.reload()).toBe(true);
      // Each reload must have requests before and after it.
      await get('/pdb/who', client);
    }
    isOver = true;
    for (const answered of await asking) expect(answered).toBeGreaterThan(5);
    agents.forEach((agent) => agent?.destroy());
  });

  test('a client that was revoked loses its connections, also in the middle of an answer', async () => {
    const leaving = middle.issue('first.test');
    const [idle, staying] = [await opened(leaving), await opened(client)];
    const slow = get('/pdb/slow', leaving);
    slow.catch(() => undefined);
    const alsoSlow = getByHttp2('/pdb/slow', leaving);
    alsoSlow.catch(() => undefined);
    await until(() => held.length === 2);
    middle.revoke(leaving);
    writeLists();
    await tls.reload();
    await expect(slow).rejects.toThrow();
    await expect(alsoSlow).rejects.toThrow();
    held.splice(0).forEach((release) => release());
    await until(() => idle.destroyed);
    expect(staying.destroyed).toBe(false);
    staying.destroy();
    expect(await get('/pdb/who', leaving)).toMatchObject({ status: 403, code: 'http.client-certificate' });
  });

  test('clients of an authority that is no longer named, and those whose certificates expire, lose theirs', async () => {
    writeFileSync(files.ca, middle.certificate + root.certificate + stranger.certificate);
    writeFileSync(files.crl, middle.revocationList() + root.revocationList() + stranger.revocationList());
    await tls.reload();
    const [foreign, own] = [await opened(stranger.issue('first.test')), await opened(client)];
    writeFileSync(files.ca, middle.certificate + root.certificate);
    await tls.reload();
    await until(() => foreign.destroyed);
    expect(own.destroyed).toBe(false);
    tls.dropUntrusted(Date.now() + 31 * 86_400_000);
    await until(() => own.destroyed);
  });

  test('a client that is revoked between its handshake and the check is refused', async () => {
    const late = middle.issue('late.test');
    const accepted = createServer(tls.options);
    const checked = new Promise<TLSSocket>((resolve) => accepted.once('secureConnection', resolve));
    await new Promise<void>((resolve) => accepted.listen(0, '127.0.0.1', resolve));
    const { port: at } = accepted.address() as AddressInfo;
    const socket = connect({ ...credentials(late), host: '127.0.0.1', port: at, servername: 'localhost' });
    const peer = await checked;
    try {
      expect(peer.authorized).toBe(true);
      middle.revoke(late);
      writeLists();
      await tls.reload();
      expect(tls.refusal(peer)).toMatchObject({
        code: 'http.client-certificate',
        message: expect.stringContaining('it has been revoked') as string,
      });
    } finally {
      socket.destroy();
      peer.destroy();
      await new Promise((resolve) => accepted.close(resolve));
    }
  });

  test('files with a fault are refused, and the old ones stay', async () => {
    const before = await serverName();
    copyFileSync(middle.issue('x.test').key, files.key);
    await expect(tls.reload()).rejects.toMatchObject({ code: 'tls.key-mismatch' });
    expect(await serverName()).toBe(before);
  });

  async function serverName(): Promise<unknown> {
    const socket = await opened(client);
    const name = socket.getPeerCertificate().subject.CN;
    socket.destroy();
    return name;
  }

  /** Returns a connection on which one request was answered. */
  function opened(issued: Issued): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...credentials(issued), host: '127.0.0.1', port, servername: 'localhost' });
      socket.once('secureConnect', () => socket.write('GET /status/v1/who HTTP/1.1\r\nhost: x\r\n\r\n'));
      socket.once('data', () => resolve(socket));
      socket.once('error', reject);
    });
  }
});

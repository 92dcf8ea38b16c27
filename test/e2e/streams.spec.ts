/** Streams of changes of a running service: over all protocols, their cost, and when they end. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { Authority, type Issued } from '../support/certificates';
import { factset } from '../support/documents';
import { EventParser, listenTo, type Listening } from '../support/event-stream';
import { freePorts } from '../support/free-ports';
import { until } from '../support/until';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, startVerb } from './verb';

const path = '/nodeledger/v1/changes';
const authority = Authority.make('Streams');
const puppet = authority.issue('puppet.test');
const open: { close(): void }[] = [];
let dataDir: string;
let service: RunningService;
let secure: string;
let env: Record<string, string>;
let submitToken: string;

const roles = async (list: Readonly<Record<string, readonly string[]>>): Promise<void> =>
  writeFile(
    join(dataDir, 'roles.yaml'),
    JSON.stringify({ certificates: Object.entries(list).map(([name, held]) => ({ name, roles: held })) }),
  );
const verb = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runVerb([...args, '--data-dir', dataDir], dataDir);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
const token = async (name: string, role: string): Promise<string> =>
  (JSON.parse(await verb('token', 'create', name, '--role', role)) as { token: string }).token;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const own = authority.issue('localhost');
  await writeFile(join(dataDir, 'ca.pem'), authority.certificate);
  await writeFile(join(dataDir, 'crl.pem'), authority.revocationList());
  await roles({ 'puppet.test': ['query'], 'agent.test': ['query'] });
  const [port = 0, tlsPort = 0] = await freePorts(2);
  secure = `https://localhost:${tlsPort}`;
  env = {
    NODELEDGER_PORT: String(port),
    NODELEDGER_AUTHORIZATION: join(dataDir, 'roles.yaml'),
    NODELEDGER_TLS_HOST: '127.0.0.1',
    NODELEDGER_TLS_PORT: String(tlsPort),
    NODELEDGER_TLS_CERT: own.cert,
    NODELEDGER_TLS_KEY: own.key,
    NODELEDGER_TLS_CA: join(dataDir, 'ca.pem'),
    NODELEDGER_TLS_CRL: join(dataDir, 'crl.pem'),
  };
  service = await startService({ dataDir, env });
  submitToken = await token('submits', 'submit');
}, 120_000);
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
afterAll(async () => {
  await service.stop();
  authority.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const files = ({ cert, key }: Issued): object => ({
  ca: authority.certificate,
  cert: readFileSync(cert),
  key: readFileSync(key),
});

let submitted = 0;
async function submit(certname: string): Promise<string> {
  const parameters = new URLSearchParams({
    ...{ command: 'replace facts', version: '5', certname, secondsToWaitForCompletion: '20' },
  });
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${submitToken}` },
    body: JSON.stringify(factset(certname, { value: ++submitted }, { producer_timestamp: new Date().toISOString() })),
  });
  const { uuid } = (await answer.json()) as { uuid: string };
  return `${uuid}/facts`;
}

async function listen(headers: Record<string, string>, certificate?: Issued): Promise<Listening> {
  const url = certificate === undefined ? service.url : secure;
  const listening = await listenTo(url + path, {
    headers,
    request: certificate === undefined ? {} : { ...files(certificate) },
  });
  open.push(listening);
  await until(() => listening.lastId !== undefined || listening.status !== 200);
  return listening;
}

interface Http2Stream {
  readonly parser: EventParser;
  readonly hasEnded: () => boolean;
}

async function listenOverHttp2(headers: Record<string, string>, certificate: Issued): Promise<Http2Stream> {
  const session = connect(secure, files(certificate));
  session.on('error', () => undefined);
  const answer = session.request({ ':path': path, ...headers });
  open.push({ close: () => session.destroy() });
  const parser = new EventParser();
  let hasEnded = false;
  answer.on('error', () => undefined).on('close', () => (hasEnded = true));
  const body = 'accept-encoding' in headers ? answer.pipe(createGunzip()) : answer;
  body.on('error', () => undefined);
  body.setEncoding('utf8').on('data', (text: string) => parser.add(text));
  await until(() => parser.lastId !== undefined);
  return { parser, hasEnded: () => hasEnded };
}

test('each change arrives over HTTP/1.1 and HTTP/2, with and without gzip', async () => {
  const authorization = `Bearer ${await token('reads', 'query')}`;
  const gzip = { 'accept-encoding': 'gzip' };
  const parsers = [
    await listen({ authorization }),
    await listen({ authorization, ...gzip }),
    await listen({}, puppet),
    await listen(gzip, puppet),
    (await listenOverHttp2({}, puppet)).parser,
    (await listenOverHttp2(gzip, puppet)).parser,
  ];
  const ids = [await submit('web1'), await submit('web2'), await submit('web1')];
  await until(() => parsers.every(({ events }) => events.length === 3));
  for (const { events } of parsers) expect(events.map(({ id }) => id)).toEqual(ids);
});

test('ends streams within five seconds when their credential is no longer valid', async () => {
  const secret = await token('leaves', 'query');
  const signIn = await fetch(`${service.url}/nodeledger/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-nodeledger-console': '1' },
    body: JSON.stringify({ token: await token('console', 'query') }),
  });
  const cookie = signIn.headers.getSetCookie()[0]!.split(';', 1)[0]!;
  const [agent, revoked] = [authority.issue('agent.test'), authority.issue('agent.test')];
  const ofToken = await listen({ authorization: `Bearer ${secret}` });
  const ofSession = await listen({ cookie });
  const ofRevoked = [await listen({}, revoked), await listenOverHttp2({ 'accept-encoding': 'gzip' }, revoked)] as const;
  const ofAgent = [await listen({}, agent), await listenOverHttp2({}, agent)] as const;
  const others = [await listen({}, puppet), await listenOverHttp2({}, puppet)] as const;

  const within = async (change: () => Promise<unknown>, hasEnded: () => boolean): Promise<number> => {
    await change();
    const began = performance.now();
    await until(hasEnded, { withinMs: 20_000 });
    return performance.now() - began;
  };
  const times = {
    token: await within(
      () => verb('token', 'revoke', 'leaves'),
      () => ofToken.hasEnded,
    ),
    session: await within(
      () =>
        fetch(`${service.url}/nodeledger/v1/session`, {
          method: 'DELETE',
          headers: { cookie, 'x-nodeledger-console': '1' },
        }),
      () => ofSession.hasEnded,
    ),
    certificate: await within(
      async () => {
        authority.revoke(revoked);
        await writeFile(join(dataDir, 'crl.pem'), authority.revocationList());
      },
      () => ofRevoked[0].hasEnded && ofRevoked[1].hasEnded(),
    ),
    role: await within(
      () => roles({ 'puppet.test': ['query'], 'agent.test': ['submit-own'] }),
      () => ofAgent[0].hasEnded && ofAgent[1].hasEnded(),
    ),
  };
  console.info(
    `streams ended after ${JSON.stringify(times, (_, ms: unknown) => (typeof ms === 'number' ? Math.round(ms) : ms))} ms`,
  );
  for (const [what, ms] of Object.entries(times)) expect([what, ms < 5_000]).toEqual([what, true]);
  expect([others[0].hasEnded, others[1].hasEnded()]).toEqual([false, false]);
}, 120_000);

/** Processor time of the service in milliseconds. */
function processorMs(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const subscribers = 200;
const quietMs = 7_000;

test(`${subscribers} idle subscribers cost less than 2 % of a processor, and end within a second`, async () => {
  const authorization = `Bearer ${await token('idle', 'query')}`;
  const cost = async (): Promise<number> => {
    const began = [processorMs(), performance.now()] as const;
    await delay(quietMs);
    return (processorMs() - began[0]) / (performance.now() - began[1]);
  };
  await delay(1_000);
  const without = await cost();
  const streams: Listening[] = [];
  for (let n = 0; n < subscribers; n++)
    streams.push(await listen({ authorization, ...(n % 2 === 0 && { 'accept-encoding': 'gzip' }) }));
  await delay(1_000);
  const withThem = await cost();
  console.info(
    `${subscribers} idle subscribers: ${(100 * withThem).toFixed(1)} % of a processor, without them ${(100 * without).toFixed(1)} %`,
  );
  expect(withThem - without).toBeLessThan(0.02);
  const began = performance.now();
  const stopped = service.stop();
  await until(() => streams.every(({ hasEnded }) => hasEnded), { withinMs: 20_000 });
  const endedMs = performance.now() - began;
  console.info(`they ended ${Math.round(endedMs)} ms after SIGTERM`);
  expect(await stopped).toBe(0);
  expect(endedMs).toBeLessThan(1_000);
  service = await startService({ dataDir, env });
}, 180_000);

test('nodeledger changes prints what has changed, and follows across a restart', async () => {
  const secret = await token('terminal', 'query');
  const asUser = { NODELEDGER_TOKEN: secret };
  const service1 = ['--url', service.url];
  const lines = (text: string): { id: string; subject: string }[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string; subject: string });
  const before = await submit('web7');
  const past = await runVerb(['changes', '--node', 'web7', '--kind', 'facts', ...service1], dataDir, asUser);
  expect([past.code, lines(past.stdout).map(({ id }) => id)]).toEqual([0, [before]]);

  const since = new Date(Date.now() - 1).toISOString();
  const following = startVerb(['changes', '--follow', '--since', since, ...service1], dataDir, asUser);
  try {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await submit('web8'));
    await following.said(/web8/, 'stdout');
    await service.kill();
    await following.said(/connecting again/);
    service = await startService({ dataDir, env });
    for (let n = 0; n < 5; n++) ids.push(await submit('web8'));
    for (const id of ids) await following.said(new RegExp(id), 'stdout');
    following.signal('SIGTERM');
    await following.ended;
  } finally {
    following.signal('SIGKILL');
  }
  const refused = await runVerb(['changes', '--since', 'tomorrow', ...service1], dataDir, asUser);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('as_of does not know the moment')]);
}, 120_000);

/** Runs the relays of docs/webhooks.md, and sends them messages as the service does. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newSigningSecret } from '#changes';
import { signingKey } from '../../libs/changes/webhooks/secrets/signing-secret';
import { type Attempt, WebhookSender } from '../../libs/changes/webhooks/delivery/send-webhook';
import { AddressRules } from '../../libs/changes/webhooks/targets/address-rules';
import { TargetRules } from '../../libs/changes/webhooks/targets/target-rules';
import { freePorts } from '../support/free-ports';
import { tellSkipped } from '../support/tell-skipped';
import { until } from '../support/until';
import { blocksOf, readPages } from './commands/page-commands';

const page = readPages().find(({ name }) => name === 'docs/webhooks.md');
/** The check of the signature, and the relay. */
const program = (language: string): string =>
  blocksOf(page!)
    .filter((block) => block.language === language)
    .map(({ lines }) => lines.join('\n'))
    .join('\n\n');

const python = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0;
const relays = [
  { name: 'Slack', command: 'python3', language: 'python', file: 'relay.py', path: '/', runs: python },
  {
    name: 'Alertmanager',
    command: process.execPath,
    language: 'ts',
    file: 'relay.mjs',
    path: '/api/v2/alerts',
    runs: true,
  },
];
if (!python) tellSkipped('python3 is not installed', 'NODELEDGER_REQUIRE_PYTHON_CLIENTS');

const secret = newSigningSecret();
let folder: string;
let child: ChildProcess | undefined;
let chat: Server;
let posted: { readonly path: string | undefined; readonly body: unknown }[];
let chatStatus: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nodeledger-relay-'));
  posted = [];
  chatStatus = 200;
  chat = createServer((request, response) => {
    void text(request).then((body) => {
      posted.push({ path: request.url, body: JSON.parse(body) });
      response.writeHead(chatStatus).end();
    });
  });
  await new Promise<void>((done) => chat.listen(0, '127.0.0.1', done));
});

afterEach(() => {
  child?.kill('SIGKILL');
  chat.closeAllConnections();
  chat.close();
  rmSync(folder, { recursive: true, force: true });
});

const event = (status: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id: 'a/report',
      source: '/nodeledger/log',
      type: 'nodeledger.report',
      subject: 'web1.example.com',
      time: '2026-01-31T12:00:00.000Z',
      data: { status, environment: 'production' },
    }),
  );

test.each(relays.filter(({ runs }) => runs))('the relay to $name', async ({ command, language, file, path }) => {
  writeFileSync(join(folder, file), program(language));
  expect(readFileSync(join(folder, file), 'utf8')).toContain('webhook-signature');
  const [port = 0] = await freePorts(1);
  const chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  let heard = '';
  child = spawn(command, [join(folder, file)], {
    env: { ...process.env, WEBHOOK_SECRET: secret, SLACK_URL: chatUrl, ALERTMANAGER_URL: chatUrl, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (heard += piece));
  const rules = new TargetRules({
    addresses: new AddressRules(['127.0.0.1']),
    httpHosts: ['127.0.0.1'],
    resolve: async () => [],
  });
  const send = async (body: Buffer, by = secret): Promise<Attempt> => {
    const sender = new WebhookSender(`http://127.0.0.1:${port}/`, [signingKey(by)], 1, { rules, version: '1.0.0' });
    try {
      return await sender.send({ event: 'a/report', body });
    } finally {
      sender.close();
    }
  };
  await until(async () => (await send(event('unchanged'))).status === 204, {
    what: `the relay: ${heard}`,
    everyMs: 100,
  });
  posted = [];
  expect(await send(event('failed'), newSigningSecret())).toMatchObject({ status: 401 });
  expect(posted).toEqual([]);
  expect(await send(event('failed'))).toMatchObject({ status: 204 });
  expect(posted).toEqual([{ path, body: expect.anything() as unknown }]);
  expect(JSON.stringify(posted[0]?.body)).toContain('web1.example.com');
  chatStatus = 500;
  expect((await send(event('failed'))).error).toBeDefined();
});

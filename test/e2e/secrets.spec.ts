/**
 * Tests that no log line, error, metric or trace contains a value of a payload or a query, a token, a password or a
 * connection string. Plants secrets in everything that a client can send and in all settings, causes every kind of
 * error at level trace, and then searches all output. An answer may quote its own request, and no other one.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Database } from '#database';
import { catalog, edge, event, factset, report, resource } from '../support/documents';
import { planted, plantedBase64, plantedIn } from '../support/planted';
import { freshDatabase } from '../support/postgres';
import { TraceReceiver } from '../support/trace-receiver';
import { until } from '../support/until';
import { refusedStart, type RunningService, startService, temporaryDataDir } from './service';
import { startVerb } from './verb';

jest.setTimeout(180_000);

const headers = {
  authorization: `Bearer ${planted('bearer')}`,
  'x-authentication': planted('xauthentication'),
  cookie: `session=${planted('cookie')}`,
  'proxy-authorization': `Basic ${plantedBase64('proxyauthorization')}`,
  'user-agent': planted('useragent'),
  referer: `http://x/${planted('referer')}`,
};
const settings = {
  NODELEDGER_LOG_LEVEL: 'trace',
  NODELEDGER_QUERY_LOG: 'all',
  NODELEDGER_QUERY_LOG_THRESHOLD: '1ms',
  NODELEDGER_CHECKSUM: 'refuse',
  NODELEDGER_MAX_COMMAND_SIZE: '100000',
  HTTP_PROXY: `http://user:${planted('proxy')}@127.0.0.1:1`,
  SOME_TOKEN: planted('environment'),
};

/** Secrets in answers that must not contain them. */
const leaks: string[] = [];

let url: string;

/** Sends a request with its own secret, and checks the answer and its headers. */
async function send(
  what: string,
  path: (secret: string) => string,
  init: {
    method?: string;
    body?: (secret: string) => string | Buffer;
    headers?: Record<string, string>;
    mayShow?: boolean;
  } = {},
): Promise<{ status: number; text: string }> {
  const secret = planted(what);
  const body = init.body?.(secret);
  const response = await fetch(url + path(secret), {
    method: init.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers, ...init.headers },
    ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
  });
  const text = await response.text();
  const { status } = response;
  // A successful query returns stored values. An error may quote its own request, unless it is an error of the service.
  const quotes = status < 500 || text.includes('"processed":true');
  const found = plantedIn(JSON.stringify([...response.headers]));
  if (!(status === 200 && init.mayShow === true)) found.push(...plantedIn(text, quotes ? secret : undefined));
  leaks.push(...found.map((one) => `${one} in the answer ${status} to ${what}: ${text.slice(0, 300)}`));
  return { status, text };
}

function submit(
  what: string,
  command: string,
  version: number,
  document: (secret: string) => string | Buffer,
  more = '',
) {
  const certname = `${command.replace(/\W/g, '-')}.secrets.test`;
  const parameters = `command=${command.replaceAll(' ', '_')}&version=${version}&certname=${certname}`;
  return send(what, () => `/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=20${more}`, {
    body: document,
  });
}
const query = (what: string, path: string, text: (secret: string) => string, more = '') =>
  send(
    what,
    (secret) => `/pdb/query/v4${path}?query=${encodeURIComponent(text(secret))}${more.replace('SECRET', secret)}`,
    {
      mayShow: true,
    },
  );

const node = (command: string): string => `${command.replace(/\W/g, '-')}.secrets.test`;
const facts = (values: unknown, over = {}): string => JSON.stringify(factset(node('replace facts'), values, over));

async function goodCommands(): Promise<void> {
  const answers = [
    await submit('fact', 'replace facts', 5, (s) => facts({ plain: s, [s]: 1, deep: { a: [s, { b: s }] } })),
    await submit('parameter', 'replace catalog', 9, (s) => {
      const resources = [
        resource(`/${s}`, { parameters: { content: s, [s]: { password: s } }, tags: [s] }),
        resource('/b'),
      ];
      return JSON.stringify(
        catalog(node('replace catalog'), resources, [edge(`/${s}`, '/b')], { version: s, code_id: s }),
      );
    }),
    await submit('report', 'store report', 8, (s) => {
      const log = {
        file: s,
        line: 1,
        level: 'err',
        message: s,
        source: s,
        tags: [s],
        time: '2026-01-01T00:00:01.000Z',
      };
      const events = [event('content', { old_value: s, new_value: { a: s }, message: s })];
      const metrics = [{ category: s, name: s, value: 1 }];
      return JSON.stringify(report(node('store report'), events, { logs: [log], metrics, configuration_version: s }));
    }),
  ];
  expect(answers.map(({ text }) => /"processed":true/.test(text) && !/exception/.test(text))).toEqual([
    true,
    true,
    true,
  ]);
}

async function badCommands(): Promise<void> {
  const bad: [string, (s: string) => string | Buffer][] = [
    ['notjson', (s) => `{"certname": ${s}`],
    ['nolist', (s) => `["${s}"]`],
    ['noutf8', (s) => Buffer.concat([Buffer.from(`{"a":"${s}`), Buffer.from([0xff, 0xfe])])],
    ['wrongtype', (s) => facts(s)],
    ['wrongtime', (s) => facts({}, { producer_timestamp: s })],
    ['wrongname', (s) => JSON.stringify(factset(`${s}.secrets.test`, {}))],
    ['extra', (s) => facts({}, { [s]: s })],
    ['infinite', (s) => facts({ a: 'HERE', b: s }).replace('"HERE"', '1e400')],
    ['deep', (s) => facts({ a: 'HERE' }).replace('"HERE"', `${'['.repeat(2_000)}"${s}"${']'.repeat(2_000)}`)],
    ['key', (s) => facts({ a: 'HERE' }).replace('"HERE"', `{"${s}":1,"${s}":"${s}`)],
  ];
  for (const [what, document] of bad) {
    const { status } = await submit(`facts${what}`, 'replace facts', 5, document);
    expect([what, status]).toEqual([what, 503]);
  }
  const duplicate = (s: string): string =>
    JSON.stringify(catalog(node('replace catalog'), [resource(s), resource(s)], [edge(s, `${s}2`)]));
  expect((await submit('duplicate', 'replace catalog', 9, duplicate)).status).toBe(503);
  const noop = (s: string): string => JSON.stringify(report(node('store report'), [], { noop: s, status: s, logs: s }));
  expect((await submit('noop', 'store report', 8, noop)).status).toBe(503);
  await submit('nogzip', 'replace facts', 5, (s) => gzipSync(s).subarray(0, 15));
  expect(
    (await submit('checksum', 'replace facts', 5, (s) => facts({ a: s }), `&checksum=${planted('check')}`)).status,
  ).toBe(400);
  const parameters = 'command=replace_facts&version=5&certname=a';
  for (const [what, path] of [
    ['command', (s: string) => `/pdb/cmd/v1?command=${s}&version=5&certname=a`],
    ['version', (s: string) => `/pdb/cmd/v1?command=replace_facts&version=${s}&certname=a`],
    ['foreign', (s: string) => `/pdb/cmd/v1?${parameters}&${s}=${s}`],
    ['wait', (s: string) => `/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=${s}`],
  ] as const) {
    expect((await send(`envelope${what}`, path, { body: (s) => s })).status).toBe(400);
  }
  const large = { body: (s: string) => facts({ a: s.repeat(10_000) }) };
  expect((await send('large', () => `/pdb/cmd/v1?${parameters}`, large)).status).toBe(413);
  const coding = { body: (s: string) => s, headers: { 'content-encoding': planted('coding') } };
  await send('coding', () => `/pdb/cmd/v1?${parameters}`, coding);
  await send('mediatype', () => `/pdb/cmd/v1?${parameters}`, {
    body: (s) => s,
    headers: { 'content-type': planted('mediatype') },
  });
  await send('oldform', () => '/pdb/cmd/v1', { body: (s) => `{"command":"replace facts","version":5,"payload":${s}` });
  await send('oldform', () => '/pdb/cmd/v1', { body: (s) => `{"command":"${s}","version":"${s}","payload":"${s}"}` });
  const agentReport = '/nodeledger/v1/agent-reports';
  await send('agentreport', () => agentReport, { body: (s) => JSON.stringify({ host: s, status: s, logs: [s] }) });
  await send('agentreportjson', () => agentReport, { body: (s) => s });
}

async function maintenance(): Promise<void> {
  const admin = '/pdb/admin/v1/cmd';
  await send('admincommand', () => admin, { body: (s) => JSON.stringify({ command: s, version: 1, payload: [s] }) });
  await send('adminjson', () => admin, { body: (s) => s });
  await send('adminclean', () => admin, {
    body: (s) => JSON.stringify({ command: 'clean', version: 1, payload: [s] }),
  });
  await send('admindelete', () => admin, {
    body: (s) => JSON.stringify({ command: 'delete', version: 1, payload: { certname: 'nobody', [s]: s } }),
  });
  await send('admingood', () => admin, { body: () => JSON.stringify({ command: 'clean', version: 1, payload: [] }) });
  const letters = '/nodeledger/v1/dead-letters';
  const { text } = await send('letters', () => letters, { mayShow: true });
  const [first] = (JSON.parse(text) as { letters: { position?: string; uuid: string }[] }).letters;
  expect(first).toBeDefined();
  const name = first?.position ?? first?.uuid ?? '';
  await send('letter', () => `${letters}/${name}`, { mayShow: true });
  await send('payload', () => `${letters}/${name}/payload`, { mayShow: true });
  await send('retry', () => `${letters}/${name}/retry`, { method: 'POST', mayShow: true });
  await send('letterunknown', (s) => `${letters}/${s}`);
  await send('letterparameter', (s) => `${letters}?${s}=${s}`);
  await send('retryjson', () => `${letters}/retry`, { body: (s) => s });
}

async function queries(): Promise<void> {
  const list = (...parts: unknown[]): string => JSON.stringify(parts);
  const good: [string, string, (s: string) => string][] = [
    ['equal', '/facts', (s) => list('=', 'value', s)],
    ['pattern', '/facts', (s) => list('~', 'name', s)],
    ['pql', '', (s) => `inventory { certname = "${s}" and facts.${s} = "${s}" }`],
    ['parameter', '/resources', (s) => list('=', ['parameter', s], s)],
    ['subquery', '/nodes', (s) => list('in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'value', s]]])],
  ];
  for (const [what, path, text] of good) {
    expect([what, (await query(`good${what}`, path, text)).status]).toEqual([what, 200]);
  }
  expect((await send('pathvalue', (s) => `/pdb/query/v4/facts/${s}/${s}`, { mayShow: true })).status).toBe(200);
  expect((await send('pathnode', (s) => `/pdb/query/v4/nodes/${s}`)).status).toBe(404);
  await query('explain', '/facts', (s) => list('=', 'value', s), '&explain=analyze');
  await query('astonly', '/facts', (s) => list('=', 'value', s), '&ast_only=true');
  const bad: [string, string, (s: string) => string, string?][] = [
    ['json', '/facts', (s) => `["=","value",${s}`],
    ['operator', '/facts', (s) => list(s, 'value', s)],
    ['field', '/facts', (s) => list('=', s, s)],
    ['number', '/facts', (s) => list('<', 'value', s)],
    ['time', '/nodes', (s) => list('<', 'report_timestamp', s)],
    ['regex', '/facts', (s) => list('~', 'name', `(${s}`)],
    ['regexrange', '/facts', (s) => list('~', 'value', `${s}[z-a]`)],
    ['path', '/fact-contents', (s) => list('~>', 'path', [`(${s}`])],
    ['pql', '', (s) => `nodes { ${s} ~~ "${s}`],
    ['pqlentity', '', (s) => `${s} { certname = "${s}" }`],
    ['function', '/facts', (s) => list('extract', [['function', s, 'value']], ['=', 'name', s])],
    ['sum', '/facts', (s) => list('extract', [['function', 'to_string', 'producer_timestamp', s]])],
    ['integer', '/events', (s) => list('=', 'line', s)],
    ['paging', '/facts', (s) => list('=', 'value', s), '&limit=SECRET'],
    ['orderby', '/facts', (s) => list('=', 'value', s), '&order_by=SECRET'],
    ['unknownparameter', '/facts', (s) => list('=', 'value', s), '&SECRET=SECRET'],
    ['timeout', '/facts', (s) => list('=', 'value', s), '&timeout=SECRET'],
  ];
  for (const [what, path, text, more] of bad) {
    const { status } = await query(`bad${what}`, path, text, more);
    expect([what, status < 500]).toEqual([what, true]);
  }
  const at = '/pdb/query/v4/facts';
  await send('querybody', () => at, { body: (s) => s });
  await send('querybodygood', () => at, { body: (s) => JSON.stringify({ query: ['=', 'value', s] }), mayShow: true });
  await send('querybodylarge', () => at, { body: (s) => JSON.stringify({ query: ['=', 'value', s.repeat(500_000)] }) });
  await send('waitfor', () => at, { headers: { 'x-nodeledger-wait-for': planted('waitfor') } });
  await send('waitforlate', () => `${at}?timeout=1`, { headers: { 'x-nodeledger-wait-for': '0-999999' } });
  await send('accept', () => at, { headers: { accept: planted('accept') } });
  await send('method', (s) => `${at}?query=${s}`, { method: 'DELETE' });
}

/** Unknown paths, invalid URLs, bytes that are not a request, and a client that leaves. */
async function oddRequests(): Promise<void> {
  await send('unknownpath', (s) => `/${s}/${s}?${s}=${s}`);
  await send('unknownservice', (s) => `/status/v1/services/${s}`);
  await send('level', (s) => `/status/v1/services?level=${s}`);
  await send('role', (s) => `/nodeledger/v1/ready/${s}`);
  await send('meta', (s) => `/pdb/meta/v1/version?${s}=1`);
  await send('metrics', (s) => `/metrics/v2/read/${s}`);
  await send('badurl', (s) => `/pdb/query/v4/%${s}`);
  for (const path of ['/metrics', '/metrics/v2/list', '/status/v1/services?level=debug', '/nodeledger/v1/ready']) {
    leaks.push(...plantedIn(await (await fetch(url + path)).text()).map((one) => `${one} in ${path}`));
  }
  const { port } = new URL(url);
  const texts = [
    `${planted('nohttp')} is no request\r\n\r\n`,
    `GET /?${planted('headers')} HTTP/1.1\r\nhost: x\r\nx-long: ${planted('header').repeat(5_000)}\r\n\r\n`,
    `POST /pdb/cmd/v1?command=replace_facts&version=5&certname=a HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n\r\n${planted('leaves')}`,
  ];
  for (const text of texts) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(text);
        setTimeout(() => socket.destroy(), 200);
      });
      socket.on('data', (answer) =>
        leaks.push(...plantedIn(answer.toString()).map((one) => `${one} in ${answer.toString()}`)),
      );
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
    });
  }
}

/** Every log file in the data directory: those of the embedded PostgreSQL. */
async function logsIn(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true, encoding: 'utf8' })).filter((name) => name.endsWith('.log'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

async function driveAll(service: RunningService): Promise<void> {
  ({ url } = service);
  await goodCommands();
  await badCommands();
  await queries();
  await maintenance();
  await oddRequests();
}

let dataDir: string;
beforeEach(async () => {
  leaks.length = 0;
  dataDir = await temporaryDataDir();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('with its own PostgreSQL and a collector of traces', async () => {
  const receiver = await TraceReceiver.open();
  const otel = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${planted('otelheader')}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  let output = '';
  try {
    const service = await startService({ dataDir, env: { ...settings, ...otel } });
    try {
      await driveAll(service);
      // Spans that cannot be sent cause an alert.
      receiver.status = 500;
      await query('untraced', '/facts', (s) => JSON.stringify(['=', 'value', s]));
    } finally {
      await service.stop();
      output = service.output();
    }
  } finally {
    await receiver.close();
  }
  expect(output).toContain('"msg":"a command is in the log"');
  expect(output).toContain('"code":"wire.shape"');
  expect(output).toContain('"msg":"a query failed"');
  expect(output).toContain('"sql":"SELECT');
  expect(new Set(receiver.spans.map(({ name }) => name))).toEqual(
    new Set(['GET', 'POST', 'DELETE', 'append', 'query', 'project batch']),
  );
  expect(receiver.headers[0]?.authorization).toBe(planted('otelheader'));
  const logs = await logsIn(dataDir);
  expect(logs).toContain('database system is ready');
  expect(leaks).toEqual([]);
  expect(plantedIn(output)).toEqual([]);
  expect(plantedIn(logs)).toEqual([]);
  expect(plantedIn(receiver.text)).toEqual([]);
});

test('with a PostgreSQL whose tables break under it', async () => {
  const fresh = await freshDatabase();
  const { password } = new URL(fresh.connectionString);
  const db = new Database({ connectionString: fresh.connectionString, max: 1 });
  const service = await startService({ dataDir, env: { ...settings, DATABASE_URL: fresh.connectionString } });
  const change = async (text: string): Promise<void> => {
    const [live] = await db.query<{ schema: string }>({
      text: `SELECT schema_name AS schema FROM information_schema.schemata WHERE schema_name LIKE 'gen%'`,
      values: [],
    });
    await db.query({ text: text.replaceAll('{schema}', live?.schema ?? ''), values: [] });
  };
  try {
    ({ url } = service);
    await goodCommands();
    await change('ALTER TABLE {schema}.fact_paths RENAME TO away');
    expect((await query('brokentable', '/fact-names', (s) => JSON.stringify(['=', 'name', s]))).status).toBe(500);
    const waiting = submit('brokentable', 'replace facts', 5, (s) => facts({ [s]: s }));
    await until(async () => /the projector waits|a command was rejected/.test(service.output()));
    await change('ALTER TABLE {schema}.away RENAME TO fact_paths');
    await waiting;
    // Every write violates a constraint whose message quotes the value.
    await change(`ALTER TABLE {schema}.resource_contents ADD CONSTRAINT none CHECK (length(title) < 0) NOT VALID`);
    const one = (s: string): string => JSON.stringify(catalog(node('replace catalog'), [resource(s)], []));
    expect((await submit('brokenrule', 'replace catalog', 9, one)).status).toBe(503);
    // PostgreSQL quotes the value that it refuses.
    await change(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM NEW.title::integer; RETURN NEW; END $$`,
    );
    await change('ALTER TABLE {schema}.resource_contents DROP CONSTRAINT none');
    await change(
      'CREATE TRIGGER refuse BEFORE INSERT ON {schema}.resource_contents FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    expect((await submit('brokenvalue', 'replace catalog', 9, one)).status).toBe(503);
  } finally {
    await service.stop();
    await db.close();
    await fresh.drop();
  }
  const output = service.output();
  expect(output).toContain('"msg":"a request failed"');
  expect(output).toContain('"code":"22P02"');
  expect(leaks).toEqual([]);
  expect(plantedIn(output)).toEqual([]);
  if (password !== '') expect(output).not.toContain(password);
});

test('starts that are refused, and settings that are shown', async () => {
  const kafka = {
    KAFKA_BROKERS: '127.0.0.1:1',
    NODELEDGER_KAFKA_SASL_MECHANISM: 'plain',
    NODELEDGER_KAFKA_SASL_USERNAME: 'ledger',
    NODELEDGER_KAFKA_SASL_PASSWORD: planted('kafkapassword'),
  };
  const database = { DATABASE_URL: `postgres://ledger:${planted('dbpassword')}@127.0.0.1:1/ledger` };
  const wrong = [
    { DATABASE_URL: `mysql://ledger:x@${planted('at')}@127.0.0.1/ledger` },
    { DATABASE_URL: `postgres://127.0.0.1:1/ledger?user=ledger&password=${planted('parameter')}` },
    { ...kafka, ...database, NODELEDGER_KAFKA_SASL_MECHANISM: 'none' },
    { ...kafka, ...database },
  ];
  for (const env of wrong) {
    const { code, output } = await refusedStart({ dataDir, env: { NODELEDGER_LOG_LEVEL: 'trace', ...env } });
    expect(code).toBe(1);
    expect(plantedIn(output)).toEqual([]);
  }
  const shown = await startVerb(['config'], dataDir, { ...kafka, ...database }).ended;
  expect(shown.stdout).toContain('postgres://ledger:***@127.0.0.1:1/ledger');
  expect(plantedIn(shown.stdout + shown.stderr)).toEqual([]);
});

/** Tests the verbs that query and submit against a running service. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownVersion } from '#config';
import { Authority } from '../support/certificates';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, type VerbEnd } from './verb';

let dataDir: string;
let service: RunningService;
const verb = (...args: string[]): Promise<VerbEnd> => runVerb([...args, '--url', service.url], dataDir);
const file = async (name: string, document: object): Promise<string> => {
  const path = join(dataDir, name);
  await writeFile(path, JSON.stringify(document));
  return path;
};

const now = Date.now();
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const facts = (certname: string, values: object): object => ({
  certname,
  environment: 'production',
  producer: 'puppet.test',
  producer_timestamp: ago(5),
  values,
});
const report = (certname: string, status: string, minutes: number): object => ({
  certname,
  environment: 'production',
  producer: null,
  producer_timestamp: ago(minutes),
  start_time: ago(minutes + 1),
  end_time: ago(minutes),
  puppet_version: '8.1.0',
  report_format: 12,
  configuration_version: 'abc',
  transaction_uuid: '00000000-0000-4000-8000-000000000001',
  status,
  noop: false,
  noop_pending: false,
  corrective_change: false,
  cached_catalog_status: 'not_used',
  catalog_uuid: null,
  code_id: null,
  job_id: null,
  type: 'agent',
  metrics: [],
  logs: [
    { level: 'err', message: 'no space left', source: 'Puppet', tags: [], file: null, line: null, time: ago(minutes) },
    {
      level: 'info',
      message: 'nothing to see',
      source: 'Puppet',
      tags: [],
      file: null,
      line: null,
      time: ago(minutes),
    },
  ],
  resources: [
    {
      resource_type: 'File',
      resource_title: '/etc/motd',
      file: '/site.pp',
      line: 3,
      timestamp: ago(minutes),
      containment_path: [],
      corrective_change: false,
      skipped: false,
      events: [
        {
          name: null,
          corrective_change: false,
          property: 'content',
          timestamp: ago(minutes),
          status: 'failure',
          old_value: 'a',
          new_value: 'b',
          message: 'could not write',
        },
      ],
    },
  ],
});

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});

test('submit knows a document by its looks, and waits until queries show it', async () => {
  const documents = [
    await file('web1.json', facts('web1.test', { os: { family: 'Debian' }, load: '0.50' })),
    await file('web2.json', facts('web2.test', { os: { family: 'RedHat' }, load: '1' })),
    await file('web1-report.json', report('web1.test', 'failed', 10)),
    await file('web2-report.json', report('web2.test', 'changed', 600)),
  ];
  for (const path of documents) {
    const { code, stdout, stderr } = await verb('submit', path);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ processed: true });
  }
});

test('submit says why a document was rejected, and that a file is no document', async () => {
  const { code, stdout } = await verb('submit', await file('bad.json', { certname: 'bad.test', values: [] }));
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    processed: true,
    error: expect.stringContaining('breaks its format') as string,
  });
  const other = await verb('submit', await file('other.json', { hello: 1 }));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('give --command and --version') as string]);
});

test('query prints rows in each format, and what is wrong with a query', async () => {
  const pql = 'inventory[certname, facts.os.family, facts.load] { order by certname }';
  const csv = await verb('query', '--format', 'csv', pql);
  expect(csv).toMatchObject({
    code: 0,
    stdout: 'certname,facts.os.family,facts.load\r\nweb1.test,Debian,0.50\r\nweb2.test,RedHat,1\r\n',
  });
  const ndjson = await verb('query', pql, '--format', 'ndjson', '--limit', '1', '--offset', '1');
  expect(
    ndjson.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([{ certname: 'web2.test', 'facts.os.family': 'RedHat', 'facts.load': '1' }]);
  expect((await verb('query', '--format', 'table', '["from","nodes",["extract","certname"]]')).stdout).toMatch(
    /^certname\nweb\d\.test\nweb\d\.test\n2 rows\n$/,
  );
  const path = join(dataDir, 'q.pql');
  await writeFile(path, 'nodes { certnam = "a" }\n');
  const wrong = await verb('query', '--file', path);
  expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).toContain('certnam');
  expect((await verb('query', pql, '--explain')).stdout).toContain('Plan');
});

test('nodes finds those that failed, changed or are silent', async () => {
  const names = async (...flags: string[]): Promise<string[]> =>
    (JSON.parse((await verb('nodes', ...flags)).stdout) as { certname: string }[]).map(({ certname }) => certname);
  expect(await names()).toEqual(['web1.test', 'web2.test']);
  expect(await names('--failed')).toEqual(['web1.test']);
  expect(await names('--changed')).toEqual(['web2.test']);
  expect(await names('--unreported', '2h')).toEqual(['web2.test']);
  expect(await names('--failed', '--environment', 'production', '--limit', '5')).toEqual(['web1.test']);
});

test('nodes --why shows the failed resource, or the errors of the log if no resource failed', async () => {
  const early = report('early.test', 'failed', 8);
  expect((await verb('submit', await file('early.json', { ...early, resources: [] }))).code).toBe(0);
  const { code, stdout } = await verb('nodes', '--failed', '--why');
  const node = { report_timestamp: expect.any(String) as string, report_environment: 'production', more: 0 };
  const failedFile = { source: 'File[/etc/motd]/content', message: 'could not write', file: '/site.pp', line: 3 };
  const logged = { source: 'Puppet', message: 'no space left', file: null, line: null };
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    [
      { ...node, certname: 'early.test', reasons: [logged] },
      { ...node, certname: 'web1.test', reasons: [failedFile] },
    ],
  ]);
  expect(JSON.parse((await verb('nodes', '--why', '--limit', '1')).stdout)).toHaveLength(1);
  await verb('deactivate', '--yes', 'early.test');
});

test('facts and report show a node, or say that there is none', async () => {
  expect(JSON.parse((await verb('facts', 'web1.test')).stdout)).toEqual([
    { name: 'load', value: '0.50' },
    { name: 'os', value: { family: 'Debian' } },
  ]);
  expect((await verb('facts', 'web1.test', 'os.family', '--format', 'csv')).stdout).toBe(
    'certname,facts.os.family\r\nweb1.test,Debian\r\n',
  );
  expect(JSON.parse((await verb('report', 'web1.test')).stdout)).toMatchObject({ status: 'failed' });
  for (const name of ['facts', 'report']) {
    const missing = await verb(name, 'nobody.test');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('no active node is called nobody.test') as string,
    ]);
  }
});

test('status tells the state, and fails where no service answers', async () => {
  expect(JSON.parse((await verb('status')).stdout)).toMatchObject({
    state: 'running',
    nodeledger_version: ownVersion(),
  });
  const gone = await runVerb(['status', '--url', 'http://127.0.0.1:9'], dataDir);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('no service answers at') as string]);
});

test('deactivate hides a node, and asks first', async () => {
  const unasked = await verb('deactivate', 'web2.test');
  expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('--yes') as string]);
  const { code, stdout } = await verb('deactivate', 'web2.test', '--yes');
  expect([code, stdout]).toEqual([0, 'web2.test is deactivated.\n']);
  expect((await verb('nodes', '--format', 'csv')).stdout).not.toContain('web2.test');
  expect((await verb('nodes', '--inactive', '--format', 'csv')).stdout).toContain('web2.test');
});

test('deactivate creates an unknown node only with --allow-unknown', async () => {
  const inactive = async (): Promise<string> => (await verb('nodes', '--inactive', '--format', 'csv')).stdout;
  const { code, stdout, stderr } = await verb('deactivate', '--yes', 'typo.test', 'web2.test');
  expect([code, stdout]).toEqual([1, 'web2.test is deactivated.\n']);
  expect(stderr).toContain('no node is called typo.test; it was not changed');
  expect(await inactive()).not.toContain('typo.test');
  expect(await verb('deactivate', '--yes', '--allow-unknown', 'typo.test')).toMatchObject({
    code: 0,
    stdout: 'typo.test is deactivated.\n',
  });
  expect(await inactive()).toContain('typo.test');
});

test('verbs find the service by the settings; doctor checks the whole installation', async () => {
  const env = { NODELEDGER_PORT: new URL(service.url).port, NODELEDGER_DATA_DIR: dataDir };
  expect((await runVerb(['status'], dataDir, env)).code).toBe(0);
  const { code, stdout } = await runVerb(['doctor'], dataDir, env);
  const findings = JSON.parse(stdout) as { check: string; level: string; text: string }[];
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
  expect(findings).toMatchObject([
    ...['settings', 'access', 'certificates', 'service', 'database', 'disk', 'clock', 'log', 'volatile facts'].map(
      (check) => ({
        check,
      }),
    ),
    // The dead letter of the malformed document above.
    { check: 'dead letters', level: 'warning', text: '1 dead letter.' },
  ]);
  expect(findings.find(({ check }) => check === 'log')?.text).toBe(
    'The log (embedded) can be read; 0 commands are not applied yet.',
  );
  expect(code).toBe(1);
  const serviceAt = async (url: string): Promise<unknown> => {
    const { stdout } = await runVerb(['doctor', '--url', url], dataDir, { ...env, NODELEDGER_PORT: '1' });
    return (JSON.parse(stdout) as typeof findings).find(({ check }) => check === 'service');
  };
  expect(await serviceAt(service.url)).toMatchObject({
    level: 'ok',
    text: expect.stringContaining(service.url) as string,
  });
  expect(await serviceAt('http://127.0.0.1:1')).toMatchObject({ level: 'warning' });
  expect(await serviceAt('nonsense')).toMatchObject({ level: 'error' });
  const wrong = await runVerb(['doctor', '--port', 'many'], dataDir, env);
  expect([wrong.code, wrong.stdout]).toEqual([2, expect.stringContaining('expected a whole number') as string]);
});

test('doctor reports a service that uses another database', async () => {
  const empty = join(dataDir, 'empty');
  const other = async (folder: string): Promise<unknown> => {
    const { stdout } = await runVerb(['doctor', '--url', service.url, '--data-dir', folder], dataDir);
    return (JSON.parse(stdout) as { text: string }[]).find(({ text }) => text.includes('uses another database'));
  };
  expect(await other(dataDir)).toBeUndefined();
  expect(await other(empty)).toMatchObject({
    check: 'service',
    level: 'error',
    text: expect.stringMatching(
      /^The service at http\S+ uses .* the database of the settings has no log yet\.$/,
    ) as string,
  });
});

test('doctor asks the service over HTTPS with the certificates that its flags name', async () => {
  const authority = Authority.make('CA');
  const folder = await temporaryDataDir();
  const { cert, key } = authority.issue('localhost');
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.certificate);
  const env = { NODELEDGER_TLS_HOST: 'localhost', NODELEDGER_TLS_PORT: '0' };
  const files = { NODELEDGER_TLS_CERT: cert, NODELEDGER_TLS_KEY: key, NODELEDGER_TLS_CA: ca };
  const secure = await startService({ dataDir: folder, env: { ...env, ...files } });
  try {
    const port = /https:\/\/\S+:(\d+)/.exec(secure.output())?.[1] ?? '';
    const flags = ['--cleartext', 'false', '--tls-host', 'localhost', '--tls-port', port, '--data-dir', folder];
    const { stdout } = await runVerb(
      ['doctor', ...flags, '--tls-cert', cert, '--tls-key', key, '--tls-ca', ca],
      dataDir,
    );
    const findings = JSON.parse(stdout) as { check: string; level: string; text: string }[];
    expect(findings.find(({ check }) => check === 'service')).toEqual({
      ...{ check: 'service', level: 'ok' },
      text: `The service at https://localhost:${port} is running.`,
    });
  } finally {
    await secure.stop();
    authority.remove();
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Tests Debian's puppetserver, agents and terminus over mutual TLS with the built service. Without the packages or
 * without root, everything is skipped and the output says so; NODELEDGER_REQUIRE_PUPPETSERVER=1 makes that a failure.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports';
import { until } from '../../support/until';
import { type RunningService, startService, temporaryDataDir } from '../../e2e/service';
import { runVerb } from '../../e2e/verb';
import { missingPart, PuppetSite, type Run, serverName } from './puppet-site';

const storeName = 'store.site.test';
const missing = missingPart();

if (missing !== undefined) console.info(`skipped: ${missing}`);
if (process.env['NODELEDGER_REQUIRE_PUPPETSERVER'] === '1') {
  test('what the suite needs is here', () => expect(missing).toBeUndefined());
}

/**
 * Machine `two` collects the exported resources of the others and queries the service while its catalog is compiled.
 * Machine `three` fails.
 */
const manifest = (out: string): string => `
node default {
  $me = $trusted['certname']
  file { "${out}/$me": ensure => directory }
  file { "${out}/$me/secret": content => Sensitive('not for the store'), mode => '0600' }
  @@file { "${out}/exported-by-$me": content => "hello from $me\\n", tag => 'exported' }
  notify { "Grüße, \${me} €": }
  if $me == 'two.site.test' {
    File <<| tag == 'exported' |>>
    $names = puppetdb_query('nodes[certname] { order by certname }').map |$row| { $row['certname'] }
    $files = puppetdb_query(['from', 'resources', ['extract', ['title'], ['and', ['=', 'type', 'File'], ['=', 'exported', true]]]])
    file { "${out}/answers": content => "\${names.join(' ')}: \${files.length}\\n" }
  }
  if $me == 'three.site.test' {
    exec { '/bin/false': }
  }
}
`;

(missing === undefined ? describe : describe.skip)('a puppetserver with agents', () => {
  let root: string;
  let out: string;
  let dataDir: string;
  let site: PuppetSite;
  let service: RunningService;
  let start: () => Promise<RunningService>;
  let askPath: (path: string) => Promise<unknown>;
  let ask: (pql: string) => Promise<readonly Record<string, unknown>[]>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'nodeledger-site-'));
    out = await mkdtemp(join(tmpdir(), 'nodeledger-site-out-'));
    for (const folder of [root, out]) await chmod(folder, 0o755);
    dataDir = await temporaryDataDir();
    const [serverPort = 0, tlsPort = 0] = await freePorts(2);
    const storeUrl = `https://localhost:${tlsPort}`;
    site = new PuppetSite({ root, serverPort, storeUrl, manifest: manifest(out) });
    await site.start();
    const ssl = await site.certificate(storeName, ['localhost']);
    const flags = ['--ssldir', ssl, '--certname', storeName, '--server', serverName, '--data-dir', dataDir];
    const setup = await runVerb(['ssl-setup', ...flags], dataDir);
    expect(setup).toMatchObject({ code: 0, stderr: '' });
    const settings = Object.fromEntries(
      [...setup.stdout.matchAll(/^(NODELEDGER_\w+)=(.+)$/gm)].map(([, key = '', path = '']) => [key, path]),
    );
    expect(Object.keys(settings)).toHaveLength(5);
    start = () =>
      startService({
        dataDir,
        env: {
          NODELEDGER_DIALECT: 'puppetdb',
          NODELEDGER_TLS_HOST: '127.0.0.1',
          NODELEDGER_TLS_PORT: String(tlsPort),
          ...settings,
        },
      });
    service = await start();
    const read = (name: string): Promise<Buffer> => readFile(settings[`NODELEDGER_TLS_${name}`] ?? '');
    const [cert, key, ca] = await Promise.all([read('CERT'), read('KEY'), read('CA')]);
    askPath = (path) => askOver(`${storeUrl}${path}`, { cert, key, ca });
    ask = async (pql) => (await askPath(`/pdb/query/v4?query=${encodeURIComponent(pql)}`)) as Record<string, unknown>[];
  }, 600_000);

  afterAll(async () => {
    await site?.stop();
    await service?.stop();
    for (const folder of [root, out, dataDir]) await rm(folder, { recursive: true, force: true });
  }, 120_000);

  const appears = (pql: string): Promise<unknown> =>
    until(async () => (await ask(pql)).length > 0, { what: pql, withinMs: 30_000 });
  /**
   * Runs an agent. If the exit code differs from the expected one, the error contains the output of the puppetserver.
   */
  const runs = async (name: string, code: number, flags: readonly string[] = []): Promise<Run> => {
    const run = await site.agent(name, flags);
    if (run.code !== code) {
      throw new Error(
        `exit code ${run.code} instead of ${code}:\n${run.output}\n${(await site.serverLog()).slice(-4_000)}`,
      );
    }
    return run;
  };

  test('facts, catalog and report of an agent arrive', async () => {
    await runs('one.site.test', 2);
    for (const kind of ['factsets', 'catalogs', 'reports']) await appears(`${kind} { certname = "one.site.test" }`);
    await appears('resources { certname = "one.site.test" and type = "Notify" and title = "Grüße, one.site.test €" }');
  });

  test('a second agent collects what the first exports, and its manifest queries the store', async () => {
    await runs('two.site.test', 2);
    expect(await readFile(join(out, 'exported-by-one.site.test'), 'utf8')).toBe('hello from one.site.test\n');
    expect(await readFile(join(out, 'answers'), 'utf8')).toMatch(/^one\.site\.test( \S+)*: [1-9]\d*\n$/);
  });

  test('no sensitive value is stored', async () => {
    const resources = await ask(`resources { title ~ "secret$" }`);
    expect(resources.length).toBeGreaterThan(0);
    expect(JSON.stringify(resources)).not.toContain('not for the store');
  });

  test('a resource that fails is an event and a failed report', async () => {
    await runs('three.site.test', 6);
    await appears('reports { certname = "three.site.test" and status = "failed" }');
    await appears('events { certname = "three.site.test" and status = "failure" and resource_title = "/bin/false" }');
  });

  test('a run with --noop is a noop report', async () => {
    await runs('one.site.test', 0, ['--noop']);
    await appears('reports { certname = "one.site.test" and noop = true }');
  });

  test('puppet node status and puppet node deactivate', async () => {
    expect((await site.onServer('node', 'status', 'three.site.test')).output).toContain('Currently active');
    const deactivated = await site.onServer('node', 'deactivate', 'three.site.test');
    expect(deactivated.output).toContain("Submitted 'deactivate node' for three.site.test");
    await appears('nodes { certname = "three.site.test" and node_state = "inactive" }');
    expect((await site.onServer('node', 'status', 'three.site.test')).output).toContain('Deactivated at');
    const unknown = await site.onServer('node', 'status', 'nobody.site.test');
    expect(unknown.output).toContain("Failed to find '/pdb/query/v4/nodes/nobody.site.test'");
  });

  test('facts of one machine, as an operator looks them up', async () => {
    const found = await site.onServer('facts', 'find', 'one.site.test', '--terminus', 'puppetdb');
    expect(found.output).toContain('"kernel"');
  });

  test('with soft_write_failure agents run while the service is down, and what they send arrives again after it', async () => {
    await service.stop();
    const alone = await site.agent('one.site.test');
    expect([0, 2]).toContain(alone.code);
    service = await start();
    const before = (await ask('reports[hash] { certname = "one.site.test" }')).length;
    await runs('one.site.test', 2);
    await until(async () => (await ask('reports[hash] { certname = "one.site.test" }')).length > before, {
      what: 'the report of the next run arrives',
      withinMs: 30_000,
    });
  });

  test('the service has rejected nothing', async () => {
    expect(await askPath('/nodeledger/v1/dead-letters')).toMatchObject({ total: 0 });
  });
});

interface Credentials {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

function askOver(url: string, credentials: Credentials): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { ...credentials, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${answer.statusCode}: ${text}`));
      });
    });
    asking.once('error', reject);
    asking.end();
  });
}

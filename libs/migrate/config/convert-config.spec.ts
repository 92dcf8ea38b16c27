import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, settingTable } from '#config';
import { convertConfig, type ConfigFile } from './convert-config';
import { counterparts } from './counterparts';
import { readIni } from './read-ini';

const files: readonly ConfigFile[] = [
  {
    name: 'config.ini',
    text: `# comment
[global]
vardir = /var/lib/puppetdb
[command-processing]
threads = 4
concurrent-writes = 4
max-command-size = 20000000
reject-large-commands = true
[developer]
pretty-print = true
[unheard-of]
thing = 1
a line that is nothing
`,
  },
  {
    name: 'database.ini',
    text: `[database]
subname = //db.example.com:5432/puppetdb
username = puppetdb
password = s3c#ret;=x
gc-interval = 30
node-ttl = 7d
node-purge-ttl = 2 days
report-ttl = 1209600s
resource-events-ttl = 0d
facts-blocklist = uptime, mem.*
facts-blocklist-type = regex
maximum-pool-size = 25
`,
  },
  {
    name: 'jetty.ini',
    text: `[jetty]\r
host = localhost\r
port = 8080\r
ssl-host = 0.0.0.0\r
ssl-port = 8081\r
ssl-key = /etc/puppetdb/ssl/private.pem\r
ssl-cert = /etc/puppetdb/ssl/public.pem\r
ssl-ca-cert = /etc/puppetdb/ssl/ca.pem\r
`,
  },
  {
    name: 'puppetdb.ini',
    text: '[puppetdb]\ncertificate-allowlist = /etc/puppetdb/allow\ndisable-update-checking = true\n',
  },
];

it('a file has sections, names, and values with any character in them; comments are lines of their own', () => {
  expect(readIni('\uFEFF[a]\nx=1 # not a comment\n;y=2\n[ b ]\r\np = q=r;s\nnothing\n = no name\n')).toEqual({
    values: [
      { section: 'a', name: 'x', value: '1 # not a comment', line: 2 },
      { section: 'b', name: 'p', value: 'q=r;s', line: 5 },
    ],
    strange: [6, 7],
  });
});

it('the settings file is one that the service reads, with the same meaning', () => {
  const { text, converted, notes } = convertConfig(files);
  const dir = mkdtempSync(join(tmpdir(), 'nodeledger-config-'));
  try {
    const file = join(dir, 'nodeledger.yaml');
    writeFileSync(file, text);
    const { settings, origins } = readSettings(['--config', file], {});
    expect(settings).toMatchObject({
      dialect: 'puppetdb',
      host: 'localhost',
      port: 8080,
      tlsHost: '0.0.0.0',
      tlsPort: 8081,
      tlsCert: '/etc/puppetdb/ssl/public.pem',
      tlsKey: '/etc/puppetdb/ssl/private.pem',
      tlsCa: '/etc/puppetdb/ssl/ca.pem',
      certificateAllowlist: '/etc/puppetdb/allow',
      gcInterval: 30 * 60_000,
      nodeTtl: 7 * 86_400_000,
      nodePurgeTtl: 2 * 86_400_000,
      reportTtl: 14 * 86_400_000,
      resourceEventsTtl: 0,
      factsBlocklist: ['/uptime/', '/mem.*/'],
      writePoolSize: 25,
      limits: { commandBytes: 20_000_000 },
    });
    // And dialect.
    expect(origins.filter(({ from }) => from === file)).toHaveLength(converted + 1);
  } finally {
    rmSync(dir, { recursive: true });
  }
  expect(notes).toEqual([
    'config.ini, line 13: this is no setting',
    "the service's user has to be able to read the files of certificate and key (docs/tls.md)",
  ]);
});

it('says that certificates may do less than with PuppetDB, unless there is an allowlist', () => {
  const note = expect.stringContaining('documents of its own name') as string;
  expect(convertConfig(files.filter(({ name }) => name !== 'puppetdb.ini')).notes).toContainEqual(note);
  expect(convertConfig(files).notes).not.toContainEqual(note);
});

it('a comment stands for each setting without a counterpart; passwords are not copied', () => {
  const { text, leftOut } = convertConfig(files);
  for (const line of [
    '# config.ini: command-processing/threads = 4: NODELEDGER_PROJECTOR_THREADS sets the threads',
    '# config.ini: unheard-of/thing = 1: this setting is not known',
    '# puppetdb.ini: puppetdb/disable-update-checking = true: nothing asks for updates',
    '# database_url: postgres://nodeledger:PASSWORD@db.example.com:5432/nodeledger',
  ]) {
    expect(text).toContain(line);
  }
  expect(leftOut).toBe(8);
  expect(text).not.toContain('s3c');
});

it('the value of a setting that may be a secret is not copied into a comment', () => {
  const text = '[jetty]\nkey-password = hunter2\n[unheard-of]\nclient-secret = hunter3\nthing = 1\n';
  const converted = convertConfig([{ name: 'jetty.ini', text }]).text;
  expect(converted).toContain('# jetty.ini: unheard-of/client-secret = ***: ');
  expect(converted).toContain('# jetty.ini: unheard-of/thing = 1: ');
  expect(converted).not.toContain('hunter');
});

it('a value that is not possible here is a comment that says what would be; a later file wins and says so', () => {
  const { text, notes } = convertConfig(
    [
      { name: 'a.ini', text: '[database]\nnode-ttl = soon\nmaximum-pool-size = 1\n[jetty]\nport = 1\n' },
      { name: 'b.ini', text: '[jetty]\nport = 2\nhost = 0.0.0.0\nssl-cert = /a\n' },
    ],
    '/my/list',
  );
  expect(text).toContain('# a.ini: database/node-ttl = soon: this is no duration that is known');
  expect(text).toContain('port: "2"');
  expect(text).toContain(
    '# certificate_allowlist: /my/list (--allowlist): this is of HTTPS, which needs tls_key, tls_ca, too',
  );
  expect(text).toContain('# tls_cert: /a');
  expect(notes).toEqual([
    'port is set twice: a.ini: jetty/port and b.ini: jetty/port; the latter is taken',
    expect.stringContaining('allow_insecure') as string,
  ]);
});

it('a line break in a value does not end its comment', () => {
  const { text } = convertConfig([{ name: 'a\nb.ini', text: '[x]\ny = 1\n' }]);
  expect(text.split('\n').every((line) => line === '' || line.startsWith('#') || line.startsWith('dialect'))).toBe(
    true,
  );
});

test.each(Object.values(counterparts))('$key is a setting', ({ key }) => {
  const names = settingTable.map((entry) => entry.key.replace(/^NODELEDGER_/, '').toLowerCase());
  expect(names).toContain(key);
});

import { defaultLimits } from '#limits';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '#fault';
import { ownVersion } from './own-version';
import { environmentOf, readSettings } from './read-settings';
import { settingTable } from './setting-table';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'some.yaml');
  writeFileSync(path, text);
  return path;
}
function refusal(flags: string[], environment: NodeJS.ProcessEnv = {}): string {
  try {
    readSettings(flags, environment);
  } catch (error) {
    if (isFault(error)) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

test('an environment without flags gives the same settings', () => {
  const flags = ['--history', '2d', '--port=9090', '--strict-queries', '--config', file('node_ttl: 3d')];
  const { settings, source } = readSettings(flags, { NODELEDGER_PORT: '1', NODELEDGER_REPORT_TTL: '5d' });
  const again = readSettings([], environmentOf(source)).settings;
  expect(again).toEqual(settings);
  expect(again).toMatchObject({ history: 2 * 86_400_000, port: 9090, strictQueries: true, nodeTtl: 3 * 86_400_000 });
});

test('without any setting: loopback, port 8080, the neutral dialect, this version', () => {
  const { settings } = readSettings([], {});
  expect({ ...settings }).toEqual({
    host: '127.0.0.1',
    port: 8080,
    allowInsecure: false,
    cleartext: true,
    tlsHost: '0.0.0.0',
    tlsPort: 8081,
    drainDelay: 0,
    dataDir: './data',
    dialect: 'neutral',
    edition: 'full',
    strictQueries: false,
    reportedVersion: ownVersion(),
    logPartitions: 12,
    logTopic: 'nodeledger.commands',
    kafkaTls: false,
    logHistory: 14 * 86_400_000,
    history: 14 * 86_400_000,
    snapshotInterval: 7 * 86_400_000,
    checksum: 'warn',
    nodeTtl: 7 * 86_400_000,
    nodePurgeTtl: 14 * 86_400_000,
    nodePurgeGcBatchLimit: 25,
    reportTtl: 14 * 86_400_000,
    deadLetterTtl: 30 * 86_400_000,
    auditTtl: 365 * 86_400_000,
    gcInterval: 3_600_000,
    webhookGiveUp: 86_400_000,
    queryTimeout: 120_000,
    waitTimeout: 10_000,
    writePoolSize: 8,
    readPoolSize: 10,
    logLevel: 'info',
    queryLog: 'slow',
    queryLogThreshold: 1_000,
    limits: defaultLimits,
  });
});

test('flags win over the environment, the environment over the file, and each says where it comes from', () => {
  const path = file('port: 1001\nnode_ttl: 1d\nNODELEDGER_DIALECT: puppetdb\nreport-ttl: 2d\n');
  const { settings, origins } = readSettings(['--config', path, '--port', '1003', '--strict-queries=yes'], {
    NODELEDGER_PORT: '1002',
    NODELEDGER_NODE_TTL: '4000d',
    PATH: '/bin',
  });
  expect(settings).toMatchObject({
    port: 1003,
    nodeTtl: 4000 * 86_400_000,
    dialect: 'puppetdb',
    strictQueries: true,
  });
  const from = Object.fromEntries(origins.map(({ entry, from }) => [entry.name, from]));
  expect(from).toMatchObject({
    port: '--port',
    nodeTtl: 'environment',
    dialect: path,
    reportTtl: path,
    edition: 'default',
  });
});

test('the file may be named by the environment', () => {
  expect(readSettings([], { NODELEDGER_CONFIG: file('port: 1001') }).settings.port).toBe(1001);
});

test('dialect puppetdb reports a version that its clients know, unless one is set', () => {
  expect(readSettings([], { NODELEDGER_DIALECT: 'puppetdb' }).settings.reportedVersion).toBe('8.4.1');
  const set = { NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_REPORTED_VERSION: '7.12.1' };
  expect(readSettings([], set).settings.reportedVersion).toBe('7.12.1');
});

test.each([
  [{ NODELEDGER_PORT: '99999' }, /^NODELEDGER_PORT=99999 \(environment\): expected a whole number from 0 to 65535$/],
  [{ NODELEDGER_PORT: 'http' }, /^NODELEDGER_PORT=http .*expected a whole number/],
  [{ NODELEDGER_NODE_TTL: '14' }, /^NODELEDGER_NODE_TTL=14 .*such as 14d/],
  [{ NODELEDGER_QUERY_TIMEOUT: '0' }, /^NODELEDGER_QUERY_TIMEOUT=0 .*not 0/],
  [{ NODELEDGER_DIALECT: 'klingon' }, /^NODELEDGER_DIALECT=klingon .*one of neutral, puppetdb/],
  [{ NODELEDGER_EDITION: 'FULL' }, /one of full, open/],
  [{ NODELEDGER_MAX_COMMAND_SIZE: '10' }, /^NODELEDGER_MAX_COMMAND_SIZE=10 .*from 1000/],
  [{ NODELEDGER_STRICT_QUERIES: 'maybe' }, /true or false/],
  [{ NODELEDGER_REPORTED_VERSION: 'latest' }, /a version such as/],
  [{ NODELEDGER_PROT: '80' }, /^NODELEDGER_PROT=80 .*Did you mean NODELEDGER_PORT\?/],
  [{ NODELEDGER_COLOUR: 'red' }, /there is no such setting$/],
  [{ KAFKA_BROKERS: 'k1' }, /^KAFKA_BROKERS=k1 .*expected brokers as host:port/],
  [{ NODELEDGER_LOG_TOPIC: 'a/b', KAFKA_BROKERS: 'k1:9092' }, /^NODELEDGER_LOG_TOPIC=a\/b .*letters, digits/],
  [{ READ_DATABASE_URL: 'postgres://h/d' }, /^READ_DATABASE_URL=postgres:\/\/h\/d .*unset it/],
  [{ DATABASE_URL: 'mysql://u:secret@h/d' }, /^DATABASE_URL=mysql:\/\/u:\*\*\*@h\/d .*postgres:\/\//],
])('%j is refused', (environment, message) => expect(refusal([], environment)).toMatch(message));

test.each([
  [['--prot', '80'], /^--prot=80 .*Did you mean --port\?/],
  [['--port'], /^NODELEDGER_PORT=true \(--port\): expected a whole number/],
  [['port', '80'], /flags are written --name value/],
  [['--kafka-brokers', 'k1'], /--kafka-brokers\): expected brokers/],
])('flags %j are refused', (flags, message) => expect(refusal(flags)).toMatch(message));

const kafka = { KAFKA_BROKERS: 'k1:9092' };
const sasl = {
  NODELEDGER_KAFKA_SASL_MECHANISM: 'scram-sha-512',
  NODELEDGER_KAFKA_SASL_USERNAME: 'me',
  NODELEDGER_KAFKA_SASL_PASSWORD: 'secret',
};
const tls = {
  NODELEDGER_KAFKA_TLS: 'true',
  NODELEDGER_KAFKA_TLS_CA: 'ca.pem',
  NODELEDGER_KAFKA_TLS_CERT: 'own.pem',
  NODELEDGER_KAFKA_TLS_KEY: 'own.key',
};

test('a log on Kafka, with everything', () => {
  const { settings, origins } = readSettings(['--kafka-brokers=k1:9092,k2:9092'], {
    ...sasl,
    ...tls,
    NODELEDGER_LOG_TOPIC: 'other.topic',
    NODELEDGER_KAFKA_REPLICATION: '3',
    NODELEDGER_LOG_HISTORY: '0',
  });
  expect(settings).toMatchObject({
    kafkaBrokers: ['k1:9092', 'k2:9092'],
    logTopic: 'other.topic',
    kafkaReplication: 3,
    kafkaTls: true,
    kafkaTlsCa: 'ca.pem',
    kafkaSaslMechanism: 'scram-sha-512',
    kafkaSaslUsername: 'me',
    kafkaSaslPassword: 'secret',
    logHistory: 0,
  });
  expect(JSON.stringify(origins.map(({ shown }) => shown))).not.toContain('secret');
});

test.each<[Record<string, string>, RegExp]>([
  [sasl, /^NODELEDGER_KAFKA_SASL_MECHANISM is set, but KAFKA_BROKERS is not/],
  [{ NODELEDGER_LOG_TOPIC: 'other' }, /^NODELEDGER_LOG_TOPIC is set, but KAFKA_BROKERS is not/],
  [{ NODELEDGER_KAFKA_REPLICATION: '3' }, /^NODELEDGER_KAFKA_REPLICATION is set, but KAFKA_BROKERS is not/],
  [
    { ...kafka, NODELEDGER_KAFKA_SASL_USERNAME: 'me' },
    /^NODELEDGER_KAFKA_SASL_USERNAME is set, but .*MECHANISM is not/,
  ],
  [{ ...kafka, NODELEDGER_KAFKA_SASL_MECHANISM: 'plain' }, /MECHANISM needs .*USERNAME and .*PASSWORD$/],
  [{ ...kafka, ...sasl, NODELEDGER_KAFKA_SASL_MECHANISM: 'gssapi' }, /=gssapi .*one of plain, scram-sha-256/],
  [
    { ...kafka, NODELEDGER_KAFKA_TLS_CA: 'ca.pem' },
    /^NODELEDGER_KAFKA_TLS_CA is set, but NODELEDGER_KAFKA_TLS is not true/,
  ],
  [
    { ...kafka, NODELEDGER_KAFKA_TLS: 'true', NODELEDGER_KAFKA_TLS_CERT: 'own.pem' },
    /belong together: set both or none$/,
  ],
])('%j does not go together', (environment, message) => {
  const refused = refusal([], environment);
  expect(refused).toMatch(message);
  expect(refused.split('\n')).toHaveLength(1);
  expect(refused).not.toContain('secret');
});

const https = {
  NODELEDGER_TLS_CERT: 'own.pem',
  NODELEDGER_TLS_KEY: 'own.key',
  NODELEDGER_TLS_CA: 'ca.pem',
};

test('HTTPS alone, on every address', () => {
  const { settings } = readSettings(['--cleartext', 'false', '--host', '0.0.0.0'], https);
  expect(settings).toMatchObject({ cleartext: false, tlsHost: '0.0.0.0', tlsPort: 8081, tlsCert: 'own.pem' });
});

test.each<[Record<string, string>, RegExp]>([
  [
    { ...https, NODELEDGER_TLS_KEY: '' },
    /^NODELEDGER_TLS_CERT is set, but NODELEDGER_TLS_KEY is not: set it, or unset/,
  ],
  [{ NODELEDGER_TLS_KEY: 'k' }, /^NODELEDGER_TLS_KEY is set, but NODELEDGER_TLS_CERT and NODELEDGER_TLS_CA are not/],
  [
    { NODELEDGER_CERTIFICATE_ALLOWLIST: 'list' },
    /^NODELEDGER_CERTIFICATE_ALLOWLIST is set, but NODELEDGER_TLS_CERT, NODELEDGER_TLS_KEY and NODELEDGER_TLS_CA are not/,
  ],
  [{ NODELEDGER_TLS_PORT: '8081' }, /^NODELEDGER_TLS_PORT is set, but NODELEDGER_TLS_CERT/],
  [{ NODELEDGER_CLEARTEXT: 'false' }, /^NODELEDGER_CLEARTEXT=false leaves nothing to listen on/],
])('half of HTTPS, %j, is refused', (environment, message) => expect(refusal([], environment)).toMatch(message));

test.each([
  ['port: 8090\n  host: ::1', /some\.yaml: line 2 is indented\. Begin each setting at the start of a line/],
  ['prot: 80', /prot=80 .*Did you mean port\?/],
  ['- port', /expected a map/],
  ['port: [80]', /port=\["80"\] .*one plain value/],
  ['port: "80', /settings file .*some\.yaml: /],
  ['port: 3\nNODELEDGER_PORT: 1', /NODELEDGER_PORT is set twice, by this name and by another one/],
])('a file of %j is refused', (text, message) => expect(refusal(['--config', file(text)])).toMatch(message));

test('a file that is named must be there', () => {
  expect(refusal(['--config', join(folder, 'none.yaml')])).toMatch(/none\.yaml: there is no such file/);
});

test('every wrong setting is named at once', () => {
  expect(refusal([], { NODELEDGER_PORT: 'x', NODELEDGER_EDITION: 'y' }).split('\n')).toHaveLength(2);
});

test.each([
  ...['0.0.0.0', '::', '10.0.0.5', 'db.example.com'],
  ...['127.evil', '127.0.0.1.example.com', 'x127.0.0.1', '127.0.0', 'localhost.example.com'],
])('clear text on %s has to be asked for', (host) => {
  expect(refusal(['--host', host])).toMatch(/clear text.*NODELEDGER_ALLOW_INSECURE=true/);
  expect(readSettings(['--host', host, '--allow-insecure'], {}).settings.host).toBe(host);
});
test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('%s is loopback', (host) => {
  expect(readSettings(['--host', host], {}).settings.host).toBe(host);
});

test('passwords are not shown', () => {
  const { origins } = readSettings([], { DATABASE_URL: 'postgres://me:secret@h:5432/d' });
  expect(origins.find(({ entry }) => entry.name === 'databaseUrl')?.shown).toBe('postgres://me:***@h:5432/d');
});

test('every setting has one entry, and defaults are good values', () => {
  expect(new Set(settingTable.map(({ key }) => key)).size).toBe(settingTable.length);
  for (const { read, fallback } of settingTable) if (fallback !== undefined) expect(read(fallback)).toBeDefined();
});

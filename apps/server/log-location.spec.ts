import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#config';
import { defaultLimits } from '#limits';
import { logLocation } from './log-location';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-place-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const locationOf = (environment: Record<string, string>) => logLocation(readSettings([], environment).settings);
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const pem = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;

test('without brokers the log is in the database', async () => {
  expect(await locationOf({ NODELEDGER_LOG_PARTITIONS: '3' })).toEqual({ partitions: 3 });
});

test('brokers, and nothing that was not said', async () => {
  expect(await locationOf({ KAFKA_BROKERS: 'k1:9092' })).toEqual({
    partitions: 12,
    kafka: {
      brokers: ['k1:9092'],
      clientId: 'nodeledger',
      topic: 'nodeledger.commands',
      maxPayloadBytes: defaultLimits.commandBytes,
    },
  });
});

test('what a thread is given holds the contents of the files and the login', async () => {
  const location = await locationOf({
    KAFKA_BROKERS: 'k1:9092,k2:9092',
    NODELEDGER_LOG_TOPIC: 'some.topic',
    NODELEDGER_KAFKA_REPLICATION: '3',
    NODELEDGER_KAFKA_TLS: 'true',
    NODELEDGER_KAFKA_TLS_CA: file('ca.pem', pem('CERTIFICATE')),
    NODELEDGER_KAFKA_TLS_CERT: file('own.pem', pem('CERTIFICATE')),
    NODELEDGER_KAFKA_TLS_KEY: file('own.key', pem('PRIVATE KEY')),
    NODELEDGER_KAFKA_SASL_MECHANISM: 'scram-sha-256',
    NODELEDGER_KAFKA_SASL_USERNAME: 'me',
    NODELEDGER_KAFKA_SASL_PASSWORD: 'secret',
  });
  expect(structuredClone(location).kafka).toEqual({
    brokers: ['k1:9092', 'k2:9092'],
    clientId: 'nodeledger',
    topic: 'some.topic',
    replication: 3,
    maxPayloadBytes: defaultLimits.commandBytes,
    tls: { ca: pem('CERTIFICATE'), cert: pem('CERTIFICATE'), key: pem('PRIVATE KEY') },
    sasl: { mechanism: 'scram-sha-256', username: 'me', password: 'secret' },
  });
});

test('TLS alone goes by what the system knows', async () => {
  expect((await locationOf({ KAFKA_BROKERS: 'k1:9092', NODELEDGER_KAFKA_TLS: 'true' })).kafka?.tls).toEqual({});
});

test.each([
  ['none.pem', undefined, /NODELEDGER_KAFKA_TLS_CA \(.*none\.pem\) cannot be read: there is no such file/],
  ['der.pem', '\u0000\u0001', /NODELEDGER_KAFKA_TLS_CA \(.*der\.pem\) contains no PEM text/],
])('%s is refused by name', async (name, text, message) => {
  const path = text === undefined ? join(folder, name) : file(name, text);
  const environment = { KAFKA_BROKERS: 'k1:9092', NODELEDGER_KAFKA_TLS: 'true', NODELEDGER_KAFKA_TLS_CA: path };
  await expect(locationOf(environment)).rejects.toThrow(message);
});

import { readNamedFile, type Settings } from '#config';
import type { Database } from '#database';
import { Fault } from '#fault';
import {
  type CommandLog,
  EmbeddedCommandLog,
  KafkaCommandLog,
  type KafkaCommandLogOptions,
  type KafkaConnection,
} from '#log';

import { splitHere, SplittingThread } from './log-splitting';

/** Contains only plain data, so that the location can be posted to a thread. */
export interface LogLocation {
  /** Used only if the log must be created. */
  readonly partitions: number;
  readonly kafka?: Omit<KafkaCommandLogOptions, 'partitions' | 'onNotice' | 'onTrouble'>;
}

export interface LogHandling {
  /**
   * True if this process accepts commands. In such a process, a thread splits documents, so that the main thread can
   * answer requests.
   */
  readonly serves?: boolean;
  /** Opening fails if the log has another id. */
  readonly expectedLogId?: string | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
  readonly onTrouble?: KafkaCommandLogOptions['onTrouble'];
}

/** Reads the files that the settings name. Throws `config.file` if a file cannot be read. */
export async function logLocation(settings: Readonly<Settings>): Promise<LogLocation> {
  const { kafkaBrokers, logPartitions, logTopic, kafkaReplication } = settings;
  if (kafkaBrokers === undefined) return { partitions: logPartitions };
  return {
    partitions: logPartitions,
    kafka: {
      brokers: kafkaBrokers,
      clientId: 'nodeledger',
      topic: logTopic,
      maxPayloadBytes: settings.limits.commandBytes,
      ...(kafkaReplication === undefined ? {} : { replication: kafkaReplication }),
      ...(await tlsOf(settings)),
      ...saslOf(settings),
    },
  };
}

/** The caller must open the log. */
export function logAt(
  { partitions, kafka }: LogLocation,
  db: Database,
  { serves = false, ...handling }: LogHandling = {},
): CommandLog {
  if (kafka !== undefined) return new KafkaCommandLog({ partitions, ...handling, ...kafka });
  return new EmbeddedCommandLog(db, { partitions, splitter: serves ? new SplittingThread() : splitHere() });
}

async function tlsOf(settings: Readonly<Settings>): Promise<Pick<KafkaConnection, 'tls'>> {
  const { kafkaTls, kafkaTlsCa, kafkaTlsCert, kafkaTlsKey } = settings;
  if (!kafkaTls) return {};
  return {
    tls: {
      ...(kafkaTlsCa === undefined ? {} : { ca: await pem('NODELEDGER_KAFKA_TLS_CA', kafkaTlsCa) }),
      ...(kafkaTlsCert === undefined ? {} : { cert: await pem('NODELEDGER_KAFKA_TLS_CERT', kafkaTlsCert) }),
      ...(kafkaTlsKey === undefined ? {} : { key: await pem('NODELEDGER_KAFKA_TLS_KEY', kafkaTlsKey) }),
    },
  };
}

function saslOf(settings: Readonly<Settings>): Pick<KafkaConnection, 'sasl'> {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = settings;
  if (mechanism === undefined || username === undefined || password === undefined) return {};
  return { sasl: { mechanism, username, password } };
}

async function pem(key: string, path: string): Promise<string> {
  const text = await readNamedFile({ what: `the file of ${key}`, path, code: 'config.file' });
  if (!text.includes('-----BEGIN ')) {
    throw new Fault('malformed', 'config.file', `the file of ${key} (${path}) contains no PEM text (-----BEGIN …)`);
  }
  return text;
}

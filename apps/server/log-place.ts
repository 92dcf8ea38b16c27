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

/** Where the log is and what it takes to open it. Plain data, so that a thread can be given it. */
export interface LogPlace {
  /** Of a log that is made; an existing one keeps its own. */
  readonly partitions: number;
  /** Absent: the embedded log, in the database. */
  readonly kafka?: Omit<KafkaCommandLogOptions, 'partitions' | 'onNotice' | 'onTrouble'>;
}

export interface LogHandling {
  /** Identity of the log that the read tables were made from; another one, or none, is refused. */
  readonly expectedLogId?: string | undefined;
  /** Told of what is no fault, but should not stay as it is. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Told when the log on Kafka becomes unavailable, and when it is available again. */
  readonly onTrouble?: KafkaCommandLogOptions['onTrouble'] | undefined;
}

/** Returns the place that the settings name, with the content of the files that they name. Fault: `config.file`. */
export async function logPlace(settings: Readonly<Settings>, maxPayloadBytes: number): Promise<LogPlace> {
  const { kafkaBrokers, logPartitions, logTopic, kafkaReplication } = settings;
  if (kafkaBrokers === undefined) return { partitions: logPartitions };
  return {
    partitions: logPartitions,
    kafka: {
      brokers: kafkaBrokers,
      clientId: 'nodeledger',
      topic: logTopic,
      maxPayloadBytes,
      ...(kafkaReplication === undefined ? {} : { replication: kafkaReplication }),
      ...(await tlsOf(settings)),
      ...saslOf(settings),
    },
  };
}

/** The log at a place, not opened yet. */
export function logAt({ partitions, kafka }: LogPlace, db: Database, handling: LogHandling = {}): CommandLog {
  // Nothing appends and reads in one thread, so that nothing needs to be kept for readers.
  if (kafka === undefined) return new EmbeddedCommandLog(db, { partitions, cacheBytes: 0 });
  const { expectedLogId, onNotice, onTrouble } = handling;
  return new KafkaCommandLog({
    ...kafka,
    partitions,
    ...(expectedLogId === undefined ? {} : { expectedLogId }),
    ...(onNotice === undefined ? {} : { onNotice }),
    ...(onTrouble === undefined ? {} : { onTrouble }),
  });
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

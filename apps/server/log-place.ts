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

/** Location of the log, and options for opening it. Plain data, so that it can be passed to a thread. */
export interface LogPlace {
  /** Number of partitions of a new log. */
  readonly partitions: number;
  /** Absent for the embedded log in the database. */
  readonly kafka?: Omit<KafkaCommandLogOptions, 'partitions' | 'onNotice' | 'onTrouble'>;
}

export interface LogHandling {
  /** The log takes the commands of clients. Documents are then split in a thread. */
  readonly serves?: boolean;
  /** Id of the log from which the read tables were made. Any other log is refused. */
  readonly expectedLogId?: string | undefined;
  /** Called with a warning. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Called when the log on Kafka becomes unavailable, and when it is available again. */
  readonly onTrouble?: KafkaCommandLogOptions['onTrouble'] | undefined;
}

/** Returns the location in the settings, with the content of the named files. Fault: `config.file`. */
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

/** Returns the log at a location. It must be opened. */
export function logAt({ partitions, kafka }: LogPlace, db: Database, handling: LogHandling = {}): CommandLog {
  // No thread both appends and reads, so the log need not keep records for readers.
  if (kafka === undefined) {
    const splitter = handling.serves ? new SplittingThread() : splitHere();
    return new EmbeddedCommandLog(db, { partitions, cacheBytes: 0, splitter });
  }
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

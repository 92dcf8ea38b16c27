import { brokersForm, readBrokers } from './brokers';
import { byteSizeForm, readByteSize } from './byte-size';
import type { SettingEntries } from './setting-entry';
import { aYear, choice, count, duration, file, flag, matching, text } from './setting-forms';

export const logSettings = {
  logPartitions: {
    key: 'NODELEDGER_LOG_PARTITIONS',
    fallback: '12',
    ...count(1, 1_024),
    meaning: 'number of partitions of a new log; the setting does not change an existing log',
  },
  kafkaBrokers: {
    key: 'KAFKA_BROKERS',
    read: readBrokers,
    expects: brokersForm,
    meaning: 'Kafka brokers that keep the log; not set: the log is embedded in PostgreSQL',
  },
  logTopic: {
    key: 'NODELEDGER_LOG_TOPIC',
    fallback: 'nodeledger.commands',
    ...matching(/^(?!\.\.?$)[A-Za-z0-9._-]{1,200}$/, 'up to 200 letters, digits, dots, dashes and underscores'),
    meaning: 'topic of the log on Kafka',
  },
  kafkaReplication: {
    key: 'NODELEDGER_KAFKA_REPLICATION',
    ...count(1, 100),
    meaning: 'copies of each partition of a new topic; not set: the default of the brokers',
  },
  kafkaTls: {
    key: 'NODELEDGER_KAFKA_TLS',
    fallback: 'false',
    ...flag,
    meaning: 'connect to the brokers with TLS',
  },
  kafkaTlsCa: {
    key: 'NODELEDGER_KAFKA_TLS_CA',
    ...file,
    meaning: "certificates (PEM) of the CAs that signed the brokers' certificates; not set: the CAs of the system",
  },
  kafkaTlsCert: {
    key: 'NODELEDGER_KAFKA_TLS_CERT',
    ...file,
    meaning: 'certificate (PEM) of the service, for brokers that require a client certificate',
  },
  kafkaTlsKey: {
    key: 'NODELEDGER_KAFKA_TLS_KEY',
    ...file,
    meaning: 'private key (PEM) of the certificate in NODELEDGER_KAFKA_TLS_CERT',
  },
  kafkaSaslMechanism: {
    key: 'NODELEDGER_KAFKA_SASL_MECHANISM',
    ...choice(['plain', 'scram-sha-256', 'scram-sha-512']),
    meaning: 'how to log in to the brokers; not set: no login',
  },
  kafkaSaslUsername: {
    key: 'NODELEDGER_KAFKA_SASL_USERNAME',
    read: text,
    expects: 'a name',
    meaning: 'user name for the brokers',
  },
  kafkaSaslPassword: {
    key: 'NODELEDGER_KAFKA_SASL_PASSWORD',
    read: text,
    expects: 'a password',
    meaning: 'password of the user for the brokers',
    secret: 'whole',
  },
  projectorThreads: {
    key: 'NODELEDGER_PROJECTOR_THREADS',
    ...count(1, 64),
    meaning:
      'number of threads that apply commands to the read tables. A long rebuild uses at most 4 of them. Not set: 1 to 4 threads, at most one for each 2 GB of memory, and at most half as many as processors (for a rebuild: at most as many as processors)',
  },
  logHistory: {
    key: 'NODELEDGER_LOG_HISTORY',
    fallback: '14d',
    ...duration({ to: 200 * aYear }),
    meaning:
      'a snapshot keeps all records of the log up to this age; of older records, the snapshot keeps only records that the tables need',
  },
  logMaxBytes: {
    key: 'NODELEDGER_LOG_MAX_BYTES',
    read: readByteSize,
    expects: byteSizeForm,
    meaning:
      'maximum size of the embedded log. If the log is larger, a snapshot also removes records that are younger than NODELEDGER_LOG_HISTORY, the oldest first; 0: no limit. Not set: a quarter of the file system of the embedded PostgreSQL, or no limit with another PostgreSQL',
  },
  snapshotInterval: {
    key: 'NODELEDGER_SNAPSHOT_INTERVAL',
    fallback: '7d',
    ...duration({ to: aYear }),
    meaning: 'time between snapshots of the log; 0: only on request',
  },
} as const satisfies SettingEntries;

import { type LimitName, limitEntry, limitNames, type Limits } from '#limits';
import { byteSizeForm, readByteSize } from './byte-size';
import { blocklistForm, readBlocklist } from './facts-blocklist';
import { listeningSettings } from './listening-settings';
import { logSettings } from './log-settings';
import type { SettingEntries, SettingEntry } from './setting-entry';
import { readVolatileFacts, volatileFactsForm } from './volatile-facts';
import { aDay, aYear, choice, count, duration, file, flag, matching, text, wholeNumber } from './setting-forms';
import { webhookSettings } from './webhook-settings';

const settings = {
  ...listeningSettings,
  drainDelay: {
    key: 'NODELEDGER_DRAIN_DELAY',
    fallback: '0',
    ...duration({ to: 600_000 }),
    meaning:
      'time for which the service still accepts requests after a stop signal; in this time, /nodeledger/v1/ready already answers 503',
  },
  databaseUrl: {
    key: 'DATABASE_URL',
    ...matching(/^postgres(ql)?:\/\/\S+$/, 'a URL such as postgres://user:password@host:5432/name'),
    meaning: 'URL of the PostgreSQL database; not set: the service runs the embedded PostgreSQL',
    secret: 'url',
  },
  dataDir: {
    key: 'NODELEDGER_DATA_DIR',
    fallback: './data',
    read: text,
    expects: 'a directory',
    isPath: true,
    meaning: 'directory of the embedded PostgreSQL',
  },
  backupDir: {
    key: 'NODELEDGER_BACKUP_DIR',
    read: text,
    expects: 'a directory',
    isPath: true,
    meaning:
      'directory for backups and exports that are started in the console; not set: the folder backups in NODELEDGER_DATA_DIR',
  },
  minFreeDisk: {
    key: 'NODELEDGER_MIN_FREE_DISK',
    read: readByteSize,
    expects: byteSizeForm,
    meaning:
      'free space that the disk of the embedded PostgreSQL must have; with less, the service refuses commands (503); 0: no check. Not set: a tenth of the file system, at most 2 GiB',
  },
  dialect: {
    key: 'NODELEDGER_DIALECT',
    fallback: 'neutral',
    ...choice(['neutral', 'puppetdb']),
    meaning: 'names in answers; requests can use the names of both dialects',
  },
  edition: {
    key: 'NODELEDGER_EDITION',
    fallback: 'full',
    ...choice(['full', 'open']),
    meaning: 'full: answers include the fields of the enterprise edition; open: answers do not include them',
  },
  strictQueries: {
    key: 'NODELEDGER_STRICT_QUERIES',
    fallback: 'false',
    ...flag,
    meaning: 'refuse queries with additions to the query language of PuppetDB',
  },
  reportedVersion: {
    key: 'NODELEDGER_REPORTED_VERSION',
    ...matching(/^\d+\.\d+\.\d+([-.+][0-9A-Za-z.+-]+)?$/, 'a version such as 8.4.1'),
    meaning:
      'version that the service reports to clients. Not set: 8.4.1 in the dialect puppetdb, and the version of nodeledger in the dialect neutral',
  },
  ...logSettings,
  checksum: {
    key: 'NODELEDGER_CHECKSUM',
    fallback: 'warn',
    ...choice(['warn', 'refuse', 'ignore']),
    meaning:
      'action if the checksum of a command is wrong; warn: accept the command, and log a warning at most once a minute; refuse: answer 400; ignore: do not check checksums',
  },
  factsBlocklist: {
    key: 'NODELEDGER_FACTS_BLOCKLIST',
    read: readBlocklist,
    expects: blocklistForm,
    meaning:
      'facts that the projector does not store in the tables; the log contains these facts, so after a change of the setting, a rebuild applies the new value',
  },
  nodeTtl: {
    key: 'NODELEDGER_NODE_TTL',
    fallback: '7d',
    ...duration({ to: 200 * aYear }),
    meaning: 'time without documents after which a node expires; 0: never',
  },
  nodePurgeTtl: {
    key: 'NODELEDGER_NODE_PURGE_TTL',
    fallback: '14d',
    ...duration({ to: 200 * aYear }),
    meaning:
      'time from the deactivation or expiry of a node to its deletion; 0: never. Until the deletion, the node is inactive',
  },
  nodePurgeGcBatchLimit: {
    key: 'NODELEDGER_NODE_PURGE_GC_BATCH_LIMIT',
    fallback: '25',
    ...count(0, 1_000_000),
    meaning: 'maximum number of nodes that one cleaning deletes; 0: no limit',
  },
  reportTtl: {
    key: 'NODELEDGER_REPORT_TTL',
    fallback: '14d',
    ...duration({ to: 200 * aYear }),
    meaning: 'the service deletes reports and their events at this age; 0: never',
  },
  resourceEventsTtl: {
    key: 'NODELEDGER_RESOURCE_EVENTS_TTL',
    ...duration({ to: 200 * aYear }),
    meaning:
      'the service deletes the events of a report at this age, and keeps the report; 0: only together with the report. Not set: the value of NODELEDGER_REPORT_TTL',
  },
  history: {
    key: 'NODELEDGER_HISTORY',
    fallback: '14d',
    ...duration({ to: 200 * aYear }),
    meaning: 'age up to which the tables keep earlier data, for queries with as_of; 0: no earlier data',
  },
  volatileFacts: {
    key: 'NODELEDGER_VOLATILE_FACTS',
    read: readVolatileFacts,
    expects: volatileFactsForm,
    meaning:
      'facts whose changes the timeline does not show; a new value takes effect with the next rebuild. Not set: uptime, memory and others of Facter that change in each run',
  },
  deadLetterTtl: {
    key: 'NODELEDGER_DEAD_LETTER_TTL',
    fallback: '30d',
    ...duration({ to: 200 * aYear }),
    meaning: 'the service purges a dead letter this long after the last rejection of its command; 0: never',
  },
  gcInterval: {
    key: 'NODELEDGER_GC_INTERVAL',
    fallback: '60m',
    ...duration({ to: aYear }),
    meaning: 'time between cleanings; 0: only on request',
  },
  authorization: {
    key: 'NODELEDGER_AUTHORIZATION',
    ...file,
    meaning:
      'file with the roles of client certificates (docs/authorization.md). Not set: clients without TLS may do everything, and the service ignores tokens',
  },
  auditTtl: {
    key: 'NODELEDGER_AUDIT_TTL',
    fallback: '365d',
    ...duration({ to: 200 * aYear }),
    meaning: 'the service deletes entries of the audit log at this age; 0: never',
  },
  ...webhookSettings,
  queryTimeout: {
    key: 'NODELEDGER_QUERY_TIMEOUT',
    fallback: '2m',
    ...duration({ from: 1, to: aDay }),
    meaning: 'maximum duration of a query; the parameter `timeout` of a query can only shorten this time',
  },
  waitTimeout: {
    key: 'NODELEDGER_WAIT_TIMEOUT',
    fallback: '10s',
    ...duration({ to: aDay }),
    meaning: 'maximum time that a query waits for a position (X-Nodeledger-Wait-For)',
  },
  writePoolSize: {
    key: 'NODELEDGER_WRITE_POOL_SIZE',
    fallback: '8',
    ...count(2, 500),
    meaning: 'database connections for commands and maintenance',
  },
  readPoolSize: {
    key: 'NODELEDGER_READ_POOL_SIZE',
    fallback: '10',
    ...count(2, 500),
    meaning: 'database connections for queries',
  },
  maxQueries: {
    key: 'NODELEDGER_MAX_QUERIES',
    ...count(1, 500),
    meaning:
      'maximum number of queries that run at once, at most NODELEDGER_READ_POOL_SIZE; not set: NODELEDGER_READ_POOL_SIZE',
  },
  maxQueriesPerClient: {
    key: 'NODELEDGER_MAX_QUERIES_PER_CLIENT',
    ...count(1, 500),
    meaning: 'maximum number of queries that one client address runs at once; not set: half of NODELEDGER_MAX_QUERIES',
  },
  maxActiveQueries: {
    key: 'NODELEDGER_MAX_ACTIVE_QUERIES',
    ...count(1, 500),
    meaning:
      'maximum number of long queries that PostgreSQL runs at once; not set: with the embedded PostgreSQL, the number of processors minus one; otherwise NODELEDGER_MAX_QUERIES',
  },
  logLevel: {
    key: 'NODELEDGER_LOG_LEVEL',
    fallback: 'info',
    ...choice(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    meaning: 'lowest level of the log lines that the service writes',
  },
  queryLog: {
    key: 'NODELEDGER_QUERY_LOG',
    fallback: 'slow',
    ...choice(['off', 'slow', 'all']),
    meaning: 'queries that the service logs; slow: slow and failed queries; all: all queries; off: no queries',
  },
  queryLogThreshold: {
    key: 'NODELEDGER_QUERY_LOG_THRESHOLD',
    fallback: '1s',
    ...duration({ to: aDay }),
    meaning: 'a query is slow if its duration is at least this time',
  },
} as const satisfies SettingEntries;

type Entries = typeof settings;
type Value<Entry> = Entry extends { read: (text: string) => infer Value } ? Exclude<Value, undefined> : never;
type WithDefault = {
  [Name in keyof Entries]: Entries[Name] extends { fallback: string } ? Name : never;
}[keyof Entries];

/** Durations are in milliseconds, and sizes in bytes. */
export type Settings = { [Name in WithDefault]: Value<Entries[Name]> } & {
  [Name in Exclude<keyof Entries, WithDefault>]?: Value<Entries[Name]>;
} & { reportedVersion: string; limits: Limits };
export type SettingName = keyof Entries | LimitName;
const limitSettings = limitNames.filter((name) => limitEntry(name).setting !== undefined);

function limitSetting(name: LimitName): SettingEntry {
  const { value, counts, setting } = limitEntry(name);
  const { key, from, to, isBytes = false } = setting!;
  const readNumber = isBytes ? readByteSize : wholeNumber;
  return {
    key,
    fallback: String(value),
    read: (text) => {
      const number = readNumber(text);
      return number !== undefined && number >= from && number <= to ? number : undefined;
    },
    expects: isBytes ? `${byteSizeForm}; from ${from} to ${to} bytes` : `a whole number from ${from} to ${to}`,
    meaning: `limit: ${counts}`,
  };
}

/** The help and the documentation list the settings in this order. */
export const settingTable: readonly NamedSetting[] = [
  ...Object.entries(settings).map(([name, entry]): NamedSetting => ({ name: name as keyof Entries, ...entry })),
  ...limitSettings.map((name): NamedSetting => ({ name, ...limitSetting(name) })),
];
export type NamedSetting = SettingEntry & { readonly name: SettingName };

/**
 * Settings that only other versions have, with the reason why this version refuses them. If a setting were ignored, the
 * user would not notice that it has no effect.
 */
export const laterKeys: Readonly<Record<string, string>> = {
  READ_DATABASE_URL: 'this version reads from the database that it writes; unset it to continue',
};

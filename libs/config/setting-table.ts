import { type LimitEntry, type LimitName, limitNames, limitTable } from '#limits';
import { byteSizeForm, readByteSize } from './byte-size';
import { blocklistForm, readBlocklist } from './facts-blocklist';
import { durationForm } from './duration';
import { listeningSettings } from './listening-settings';
import { logSettings } from './log-settings';
import type { SettingEntry } from './setting-entry';
import { choice, count, duration, file, flag, text, wholeNumber } from './setting-forms';
import { checksumPolicies, dialects, editions, logLevels, queryLogs } from './settings';

/** A limit as a setting: its bounds are checked where it is read. */
function limitSetting(name: LimitName): SettingEntry {
  const { key, value, from, to, unit, counts }: LimitEntry = limitTable[name];
  const readNumber = unit === 'bytes' ? readByteSize : wholeNumber;
  const within = (number: number | undefined): number | undefined =>
    number !== undefined && number >= from && number <= to ? number : undefined;
  return {
    name,
    key,
    fallback: String(value),
    read: (text) => within(readNumber(text)),
    expects: unit === 'bytes' ? `${byteSizeForm}; from ${from} to ${to} bytes` : `a whole number from ${from} to ${to}`,
    meaning: `limit: ${counts}`,
  };
}

/** In the order in which they are shown. */
export const settingTable: readonly SettingEntry[] = [
  ...listeningSettings,
  {
    name: 'drainDelay',
    key: 'NODELEDGER_DRAIN_DELAY',
    fallback: '0',
    ...duration,
    expects: `${durationForm}, at most 10m`,
    meaning:
      'how long the service still accepts requests after it was asked to stop, while its status is already unready',
  },
  {
    name: 'databaseUrl',
    key: 'DATABASE_URL',
    read: text,
    expects: 'a URL such as postgres://user:password@host:5432/name',
    meaning: 'URL of the PostgreSQL database; not set: the service runs the embedded PostgreSQL',
    secret: 'url',
  },
  {
    name: 'dataDir',
    key: 'NODELEDGER_DATA_DIR',
    fallback: './data',
    read: text,
    expects: 'a directory',
    isPath: true,
    meaning: 'directory of the embedded PostgreSQL and of the files of rejected commands',
  },
  {
    name: 'minFreeDisk',
    key: 'NODELEDGER_MIN_FREE_DISK',
    read: readByteSize,
    expects: byteSizeForm,
    meaning:
      'free space on the disk of the embedded PostgreSQL below which the service refuses commands (503); 0: never. Not set: a tenth of the file system, at most 2 GiB',
  },
  {
    name: 'dialect',
    key: 'NODELEDGER_DIALECT',
    fallback: 'neutral',
    ...choice(dialects),
    meaning: 'which names answers use; requests may use both',
  },
  {
    name: 'edition',
    key: 'NODELEDGER_EDITION',
    fallback: 'full',
    ...choice(editions),
    meaning: 'full: answers include the fields of the enterprise edition',
  },
  {
    name: 'strictQueries',
    key: 'NODELEDGER_STRICT_QUERIES',
    fallback: 'false',
    ...flag,
    meaning: 'refuse queries that PuppetDB refuses: those with additions to its query language',
  },
  {
    name: 'reportedVersion',
    key: 'NODELEDGER_REPORTED_VERSION',
    read: text,
    expects: 'a version such as 8.4.1',
    meaning:
      'version that the service reports to clients. Not set: 8.4.1 in the dialect puppetdb, otherwise its own version',
  },
  ...logSettings,
  {
    name: 'rejectLargeCommands',
    key: 'NODELEDGER_REJECT_LARGE_COMMANDS',
    fallback: 'true',
    ...flag,
    meaning: 'refuse payloads above NODELEDGER_MAX_COMMAND_SIZE (413)',
  },
  {
    name: 'checksum',
    key: 'NODELEDGER_CHECKSUM',
    fallback: 'warn',
    ...choice(checksumPolicies),
    meaning:
      'action on a wrong checksum: warn accepts the command and logs a warning at most once a minute, refuse answers 400, ignore does not check checksums',
  },
  {
    name: 'factsBlocklist',
    key: 'NODELEDGER_FACTS_BLOCKLIST',
    read: readBlocklist,
    expects: blocklistForm,
    meaning:
      'facts that are not stored in the tables; the log keeps them, and a rebuild uses the value that it is started with',
  },
  {
    name: 'nodeTtl',
    key: 'NODELEDGER_NODE_TTL',
    fallback: '7d',
    ...duration,
    meaning: 'a node expires if it sends nothing for this long; 0: never',
  },
  {
    name: 'nodePurgeTtl',
    key: 'NODELEDGER_NODE_PURGE_TTL',
    fallback: '14d',
    ...duration,
    meaning:
      'the service removes a node this long after it was deactivated or expired; until then the node counts as inactive; 0: never',
  },
  {
    name: 'nodePurgeGcBatchLimit',
    key: 'NODELEDGER_NODE_PURGE_GC_BATCH_LIMIT',
    fallback: '25',
    ...count(0, 1_000_000),
    meaning: 'maximum number of nodes that one cleaning removes; 0: no limit',
  },
  {
    name: 'reportTtl',
    key: 'NODELEDGER_REPORT_TTL',
    fallback: '14d',
    ...duration,
    meaning: 'the service removes reports of this age with their events; 0: never',
  },
  {
    name: 'resourceEventsTtl',
    key: 'NODELEDGER_RESOURCE_EVENTS_TTL',
    ...duration,
    meaning:
      'the service removes the events of reports of this age and keeps the reports; 0: only together with the report. Not set: the value of NODELEDGER_REPORT_TTL',
  },
  {
    name: 'deadLetterTtl',
    key: 'NODELEDGER_DEAD_LETTER_TTL',
    fallback: '30d',
    ...duration,
    meaning: 'the service purges a dead letter this long after its command was last rejected; 0: never',
  },
  {
    name: 'gcInterval',
    key: 'NODELEDGER_GC_INTERVAL',
    fallback: '60m',
    ...duration,
    meaning: 'time between cleanings; 0: only on request',
  },
  {
    name: 'authorization',
    key: 'NODELEDGER_AUTHORIZATION',
    ...file,
    meaning:
      'file with the roles of client certificates (docs/authorization.md). Not set: clients without TLS may do everything, and the service ignores tokens',
  },
  {
    name: 'auditTtl',
    key: 'NODELEDGER_AUDIT_TTL',
    fallback: '365d',
    ...duration,
    meaning: 'the service removes entries of the audit log at this age; 0: never',
  },
  {
    name: 'queryTimeout',
    key: 'NODELEDGER_QUERY_TIMEOUT',
    fallback: '2m',
    ...duration,
    expects: `${durationForm}, at most 1d and not 0`,
    meaning: 'maximum duration of a query; the `timeout` of a query can only shorten it',
  },
  {
    name: 'waitTimeout',
    key: 'NODELEDGER_WAIT_TIMEOUT',
    fallback: '10s',
    ...duration,
    expects: `${durationForm}, at most 1d`,
    meaning: 'maximum time that a query waits for a position (X-Nodeledger-Wait-For)',
  },
  {
    name: 'writePoolSize',
    key: 'NODELEDGER_WRITE_POOL_SIZE',
    fallback: '8',
    ...count(2, 500),
    meaning: 'database connections for commands and maintenance',
  },
  {
    name: 'readPoolSize',
    key: 'NODELEDGER_READ_POOL_SIZE',
    fallback: '10',
    ...count(2, 500),
    meaning: 'database connections for queries',
  },
  {
    name: 'maxQueries',
    key: 'NODELEDGER_MAX_QUERIES',
    ...count(1, 500),
    meaning:
      'maximum number of queries that run at once; not set: NODELEDGER_READ_POOL_SIZE, which is also the largest value',
  },
  {
    name: 'maxQueriesPerClient',
    key: 'NODELEDGER_MAX_QUERIES_PER_CLIENT',
    ...count(1, 500),
    meaning: 'maximum number of queries that one client address runs at once; not set: half of NODELEDGER_MAX_QUERIES',
  },
  {
    name: 'maxActiveQueries',
    key: 'NODELEDGER_MAX_ACTIVE_QUERIES',
    ...count(1, 500),
    meaning:
      'maximum number of long queries that PostgreSQL runs at once; not set: with the embedded PostgreSQL, the number of processors minus one; otherwise NODELEDGER_MAX_QUERIES',
  },
  {
    name: 'metricsEnabled',
    key: 'NODELEDGER_METRICS_ENABLED',
    fallback: 'true',
    ...flag,
    meaning: 'serve `/metrics`, `/metrics/v1` and `/metrics/v2`',
  },
  {
    name: 'metricsPolicy',
    key: 'NODELEDGER_METRICS_POLICY',
    ...file,
    meaning:
      'file that sets which metrics clients may read at `/metrics/v1` and `/metrics/v2` (docs/metrics.md); not set: all',
  },
  {
    name: 'logLevel',
    key: 'NODELEDGER_LOG_LEVEL',
    fallback: 'info',
    ...choice(logLevels),
    meaning: 'lowest level of the log lines that the service writes',
  },
  {
    name: 'queryLog',
    key: 'NODELEDGER_QUERY_LOG',
    fallback: 'slow',
    ...choice(queryLogs),
    meaning: 'which queries the service logs: slow and failed ones, all, or none',
  },
  {
    name: 'queryLogThreshold',
    key: 'NODELEDGER_QUERY_LOG_THRESHOLD',
    fallback: '1s',
    ...duration,
    expects: `${durationForm}, at most 1d`,
    meaning: 'a query is slow if it takes this long or longer',
  },
  ...limitNames.map(limitSetting),
];

/** Settings of other versions: refused by name, so that nobody believes that they act. */
export const laterKeys: Readonly<Record<string, string>> = {
  READ_DATABASE_URL: 'this version reads from the database that it writes; unset it to continue',
};

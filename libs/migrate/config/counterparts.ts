export type Converted = { readonly value: string; readonly note?: string };

export interface Counterpart {
  /** Key in the settings file, such as `node_ttl`. */
  readonly key: string;
  /**
   * Converts a value. Returns a text with the reason if the value cannot be converted. This member is absent if values
   * need no conversion.
   */
  readonly convert?: (value: string) => Converted | string;
}

const duration = (value: string): Converted | string => {
  const match = /^(\d+)\s*(d|h|m|s|ms|days?|hours?|minutes?|seconds?)?$/i.exec(value);
  if (match === null) return 'this is no duration that is known';
  const [, amount, unit = ''] = match;
  if (Number(amount) === 0) return { value: '0' };
  const short = /^ms$/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
  if (short === '') return 'the unit is missing';
  return { value: `${amount}${short}` };
};

/** `gc-interval` is in minutes if it has no unit. */
const minutes = (value: string): Converted | string => duration(/^\d+$/.test(value) ? `${value}m` : value);

const count = (value: string): Converted | string => (/^\d+$/.test(value) ? { value } : 'this is no whole number');

const blocklist = (value: string): Converted => ({
  value: value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .join(','),
});

/** The keys are the names of PuppetDB's settings: `section.name`, in lower case. */
export const counterparts: Readonly<Record<string, Counterpart>> = {
  'jetty.host': { key: 'host' },
  'jetty.port': { key: 'port', convert: count },
  'jetty.ssl-host': { key: 'tls_host' },
  'jetty.ssl-port': { key: 'tls_port', convert: count },
  'jetty.ssl-cert': { key: 'tls_cert' },
  'jetty.ssl-key': { key: 'tls_key' },
  'jetty.ssl-ca-cert': { key: 'tls_ca' },
  'jetty.ssl-crl-path': { key: 'tls_crl' },
  'puppetdb.certificate-allowlist': { key: 'certificate_allowlist' },
  'puppetdb.certificate-whitelist': { key: 'certificate_allowlist' },
  'database.node-ttl': { key: 'node_ttl', convert: duration },
  'database.node-purge-ttl': { key: 'node_purge_ttl', convert: duration },
  'database.node-purge-gc-batch-limit': { key: 'node_purge_gc_batch_limit', convert: count },
  'database.report-ttl': { key: 'report_ttl', convert: duration },
  'database.resource-events-ttl': { key: 'resource_events_ttl', convert: duration },
  'database.gc-interval': { key: 'gc_interval', convert: minutes },
  'database.maximum-pool-size': { key: 'write_pool_size', convert: count },
  'read-database.maximum-pool-size': { key: 'read_pool_size', convert: count },
  'database.facts-blacklist': { key: 'facts_blocklist', convert: blocklist },
  'database.facts-blocklist': { key: 'facts_blocklist', convert: blocklist },
  'command-processing.max-command-size': { key: 'max_command_size', convert: count },
};

/** The keys are `section.name` or `section.*`. The values are the reasons why there is no counterpart. */
export const withoutCounterpart: Readonly<Record<string, string>> = {
  'global.vardir': 'data are kept where NODELEDGER_DATA_DIR or DATABASE_URL says',
  'global.logging-config': 'see NODELEDGER_LOG_LEVEL, and docs/monitoring.md',
  'global.update-server': 'nothing asks for updates',
  'puppetdb.disable-update-checking': 'nothing asks for updates',
  'jetty.access-log-config': 'requests are in the log of the service (docs/monitoring.md)',
  'jetty.max-threads': 'requests need no threads; see NODELEDGER_MAX_QUERIES',
  'jetty.cipher-suites': 'those of OpenSSL are used',
  'jetty.ssl-protocols': 'TLS 1.2 and newer are used',
  'jetty.client-auth': 'HTTPS always verifies client certificates (docs/tls.md)',
  'command-processing.threads':
    'NODELEDGER_PROJECTOR_THREADS sets the threads of a process; its default depends on processors and memory (docs/deployment.md)',
  'command-processing.concurrent-writes': 'the log takes as many at once as come',
  'command-processing.*': 'the log of the service is its queue',
  'developer.pretty-print': 'answers are compact, except single records',
  'developer.*': 'this is for the developers of PuppetDB',
  'nrepl.*': 'there is no remote prompt',
  'command-processing.reject-large-commands': 'commands above NODELEDGER_MAX_COMMAND_SIZE are always refused',
  'metrics.*': 'clients with the role `metrics` may read metrics (docs/monitoring.md)',
  'database.classname': 'there is one kind of database',
  'database.subprotocol': 'there is one kind of database',
  'database.migrate': 'a service brings its control tables up to date when it starts',
  'database.conn-max-age': 'connections are closed after a minute without use',
  'database.conn-lifetime': 'connections are closed after a minute without use',
  'database.connection-timeout': 'a caller waits 30 seconds for a connection',
  'database.statements-cache-size': 'statements need no cache of their own',
  'database.gc-interval-expire-nodes': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.gc-interval-purge-nodes': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.gc-interval-purge-reports': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.gc-interval-packages': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.gc-interval-catalogs': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.gc-interval-fact-paths': 'one interval holds for all cleaning: NODELEDGER_GC_INTERVAL',
  'database.facts-blocklist-type': 'it decides how the entries of facts_blocklist above are written',
  'database.facts-blacklist-type': 'it decides how the entries of facts_blocklist above are written',
  'database.report-ttl-partitions': 'reports are not in partitions',
  'read-database.*': 'queries read the database that commands are written to',
};

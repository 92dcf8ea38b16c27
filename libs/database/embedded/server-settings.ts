import { availableParallelism } from 'node:os';
import { availableMemory } from '#limits';

/**
 * These settings are passed as command line arguments, so that an existing cluster also gets the settings of a new
 * release.
 */
export const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  max_connections: '70',
  password_encryption: 'scram-sha-256',
  shared_buffers: sharedBuffers(availableMemory()),
  work_mem: '16MB',
  // On a machine with few processors, parallel workers of one query would slow down other work.
  max_parallel_workers_per_gather: availableParallelism() < 4 ? '0' : '2',
  maintenance_work_mem: '128MB',
  huge_pages: 'off',
  // Commits must be durable, because the answer 200 promises that the record is stored.
  fsync: 'on',
  synchronous_commit: 'on',
  // Compression would save little, because most of the data is already compressed.
  wal_compression: 'off',
  // Set explicitly, because the default depends on the size of a segment, which is smaller here.
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  // Compiling short queries takes longer than running them.
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum: 'on',
  // Lets PostgreSQL look for tables to analyze every 15 seconds, because the first load fills empty tables within
  // minutes, and PostgreSQL plans badly until it has analyzed them.
  autovacuum_naptime: '15s',
  // Stops the statement of a client that has disconnected.
  client_connection_check_interval: process.platform === 'linux' ? '1s' : '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] %a ',
  log_checkpoints: 'off',
  // Statement errors are not logged, because they quote values. The service logs the permitted parts.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  cluster_name: 'nodeledger',
};

/**
 * Returns `max_wal_size` in bytes, from the size of the file system (`total`) and the size of the cluster (`data`). The
 * write-ahead log may take at most a tenth of the file system, like the default reserve (NODELEDGER_MIN_FREE_DISK).
 * PostgreSQL needs at least 80 MB (`min_wal_size`).
 */
export const maxWalBytes = (total: number, data = Infinity): number =>
  Math.max(80 << 20, Math.min(2 ** 31, Math.floor(total / 10), Math.max(256 << 20, Math.floor(data / 2))));

/**
 * Returns the size of PostgreSQL's buffers for a machine with `bytes` of memory. The indexes should fit into them,
 * because inserts change pages in all parts of an index.
 */
export function sharedBuffers(bytes: number): string {
  const megabytes = Math.floor(bytes / 16 / 2 ** 20);
  return `${Math.max(128, Math.min(1024, megabytes))}MB`;
}

import { availableParallelism } from 'node:os';
import { availableMemory } from '#limits';

/**
 * Settings of the embedded server, tuned for one service on the same machine. They are on its command line, so that an
 * existing data directory gets the settings of a new release.
 */
export const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  max_connections: '60',
  password_encryption: 'scram-sha-256',
  shared_buffers: sharedBuffers(availableMemory()),
  work_mem: '16MB',
  // With few processors, parallel workers of one query slow down commands and other queries.
  max_parallel_workers_per_gather: availableParallelism() < 4 ? '0' : '2',
  maintenance_work_mem: '128MB',
  huge_pages: 'off',
  // A 200 promises that the record is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  // Most of the data is already compressed.
  wal_compression: 'off',
  // The default depends on the size of a segment.
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  // Compiling short queries takes longer than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum: 'on',
  // A first load fills empty tables within minutes. PostgreSQL plans queries badly until it has analyzed them.
  autovacuum_naptime: '15s',
  // Stops a statement whose client has disconnected.
  client_connection_check_interval: process.platform === 'linux' ? '1s' : '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] %a ',
  log_checkpoints: 'off',
  // Errors quote values, which must not be in the log. The client gets the errors and logs only what is allowed. The log
  // still has starts, ends and crashes.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  cluster_name: 'nodeledger',
};

/**
 * Returns `max_wal_size` in bytes: half of the `data` that the cluster holds, from 256 MB to 2 GB, and at most a tenth of the file
 * system of `total` bytes. The default reserve of free disk space (NODELEDGER_MIN_FREE_DISK) is a tenth as well, up to 2 GB.
 */
export const maxWalBytes = (total: number, data = Infinity): number =>
  Math.max(256 << 20, Math.min(2 ** 31, Math.floor(total / 10), Math.floor(data / 2)));

/**
 * A sixteenth of the memory, from 128 MB to 1 GB. In large tables, new rows change pages in all parts of the indexes.
 */
export function sharedBuffers(bytes: number): string {
  const megabytes = Math.floor(bytes / 16 / 2 ** 20);
  return `${Math.max(128, Math.min(1024, megabytes))}MB`;
}

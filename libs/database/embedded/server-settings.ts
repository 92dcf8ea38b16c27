import { availableParallelism } from 'node:os';
import { availableMemory } from '#limits';

/**
 * What the embedded server is started with, tuned for one service beside it on one machine. They go on its command line,
 * so that a data directory made by an older version gets the newer settings.
 */
export const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  max_connections: '60',
  password_encryption: 'scram-sha-256',
  shared_buffers: sharedBuffers(availableMemory()),
  work_mem: '16MB',
  // On few processors, what one query gains is what commands and the other queries lose.
  max_parallel_workers_per_gather: availableParallelism() < 4 ? '0' : '2',
  maintenance_work_mem: '128MB',
  huge_pages: 'off',
  // A 200 promises that the record is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  // Most of what is written is compressed already.
  wal_compression: 'off',
  max_wal_size: '2GB',
  // The default depends on the size of a segment.
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  // Queries are short; compiling them costs more than it gives.
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum: 'on',
  // A first load fills empty tables within minutes, and queries are planned badly until they are analyzed.
  autovacuum_naptime: '15s',
  // A statement whose client has gone is not carried on with.
  client_connection_check_interval: process.platform === 'linux' ? '1s' : '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] %a ',
  log_checkpoints: 'off',
  // Errors quote values, which must not be in logs; whoever asked gets them, and logs what may be logged. Starts, ends and
  // crashes are still told.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  cluster_name: 'nodeledger',
};

/** A sixteenth of the memory, from 128 MB to 1 GB. In large tables, new rows go to pages all over the indexes. */
export function sharedBuffers(bytes: number): string {
  const megabytes = Math.floor(bytes / 16 / 2 ** 20);
  return `${Math.max(128, Math.min(1024, megabytes))}MB`;
}

import { Command } from 'commander';
import { showByteSize } from '#config';
import { amount, formatDays } from './amounts';
import { askIdentity } from './ask-identity';
import { askService } from './ask-service';
import { columns } from './columns';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { paint } from './paint';
import { print } from './print';

interface ServiceStatus {
  /** `service_version` is the PuppetDB version that the service reports to clients. */
  readonly nodeledger_version?: string;
  readonly service_version: string;
  readonly state: string;
  readonly status: {
    readonly 'read_db_up?': boolean;
    readonly 'write_db_up?': boolean;
    readonly queue_depth: number;
    readonly 'rejecting_commands?'?: boolean;
    readonly storage?: StorageStatus;
  };
  readonly active_alerts: readonly { readonly severity?: string; readonly message?: string }[];
}

interface StorageStatus {
  readonly log_bytes: number | null;
  readonly log_section_bytes: number | null;
  readonly log_since: string | null;
  readonly log_bytes_per_day: number | null;
  readonly table_bytes: number;
  /** Services before release 0.3 do not return this figure. */
  readonly past_bytes?: number;
  readonly other_bytes: number;
  readonly wal_bytes: number | null;
  readonly disk: {
    readonly free_bytes: number;
    readonly total_bytes: number;
    readonly seconds_until_full: number | null;
  } | null;
}

function storageRows(storage: StorageStatus): (readonly [string, string])[] {
  const { log_bytes: log, log_section_bytes: sections, log_since: since, wal_bytes: wal, disk } = storage;
  const perDay = storage.log_bytes_per_day;
  const rows: [string, string][] = [
    ['read tables', showByteSize(storage.table_bytes)],
    ['other tables', showByteSize(storage.other_bytes)],
  ];
  if (storage.past_bytes !== undefined) rows.push(['past of the tables', showByteSize(storage.past_bytes)]);
  if (wal !== null) rows.push(['write-ahead log', showByteSize(wal)]);
  if (log !== null) {
    rows.push(['log', `${showByteSize(log)}${perDay === null ? '' : `, grows ${showByteSize(perDay)} a day`}`]);
    if (sections !== null) rows.push(['sections in the log', showByteSize(sections)]);
    if (since !== null) rows.push(['history in the log', `since ${since}`]);
  }
  if (disk !== null) {
    const until = disk.seconds_until_full;
    const full = until === null ? '' : `, full in ${formatDays(until)}`;
    rows.push(['disk', `${showByteSize(disk.free_bytes)} of ${showByteSize(disk.total_bytes)} free${full}`]);
  }
  return rows;
}

export function statusText(
  { nodeledger_version, service_version, state, status, active_alerts }: ServiceStatus,
  url: string,
): string {
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const version = nodeledger_version ?? service_version;
  const reported = version === service_version ? '' : ` (reported to clients: ${service_version})`;
  const lines = columns([
    ['service', url],
    ['version', onOneLine(version + reported)],
    ['state', paint(onOneLine(state))],
    ['waiting', `${amount(status.queue_depth, 'command')} not yet shown by queries`],
    ['reads database', yes(status['read_db_up?'])],
    ['writes database', yes(status['write_db_up?'])],
    ['takes commands', yes(status['rejecting_commands?'] !== true)],
    ...(status.storage === undefined ? [] : storageRows(status.storage)),
  ]);
  const alerts = active_alerts.map(
    ({ severity, message }) => `${paint(onOneLine(severity ?? 'alert'))}: ${onOneLine(message ?? '')}\n`,
  );
  return lines + (alerts.length === 0 ? 'no alerts\n' : alerts.join(''));
}

/** Exits with 1 if the service is not running. */
export function statusCommand(): Command {
  return withService(new Command('status'))
    .option('--json', 'print JSON, even on a terminal')
    .action(async (flags: ServiceFlags & { json?: true }) => {
      const answer = await askService(flags, '/status/v1/services/puppetdb-status', { accepts: [503] });
      const { version } = await askIdentity(flags);
      const status: ServiceStatus = {
        ...((await answer.json()) as ServiceStatus),
        ...(version !== undefined && { nodeledger_version: version }),
      };
      print(status, flags, () => statusText(status, flags.url));
      if (status.state !== 'running') process.exitCode = 1;
    });
}

import { Command } from 'commander';
import { amount } from './amounts';
import { askIdentity } from './ask-identity';
import { askService } from './ask-service';
import { columns } from './columns';
import { type ServiceFlags, withService } from './http-client';
import { onOneLine } from './on-one-line';
import { paint } from './paint';
import { print } from './print';

/** What `GET /status/v1/services/puppetdb-status` answers. */
interface ServiceStatus {
  /** The version of nodeledger. `service_version` is the version that clients are told. */
  readonly nodeledger_version?: string;
  readonly service_version: string;
  readonly state: string;
  readonly status: {
    readonly 'read_db_up?': boolean;
    readonly 'write_db_up?': boolean;
    readonly queue_depth: number;
    readonly 'rejecting_commands?': boolean;
  };
  readonly active_alerts: readonly { readonly severity?: string; readonly message?: string }[];
}

/** The state of the service for people. */
export function statusText(
  { nodeledger_version, service_version, state, status, active_alerts }: ServiceStatus,
  url: string,
): string {
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const version = nodeledger_version ?? service_version;
  const told = version === service_version ? '' : ` (clients are told ${service_version})`;
  const lines = columns([
    ['service', url],
    ['version', onOneLine(version + told)],
    ['state', paint(onOneLine(state))],
    ['waiting', `${amount(status.queue_depth, 'command')} not yet shown by queries`],
    ['reads database', yes(status['read_db_up?'])],
    ['writes database', yes(status['write_db_up?'])],
    ['takes commands', yes(!status['rejecting_commands?'])],
  ]);
  const alerts = active_alerts.map(
    ({ severity, message }) => `${paint(onOneLine(severity ?? 'alert'))}: ${onOneLine(message ?? '')}\n`,
  );
  return lines + (alerts.length === 0 ? 'no alerts\n' : alerts.join(''));
}

/** `nodeledger status`: exits with 1 unless the service is running. */
export function statusCommand(): Command {
  return withService(new Command('status'))
    .description('show whether the service is running, how many commands wait, and the current alerts')
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

import { isFault } from '#fault';
import { askService } from '../ask-service';
import type { ServiceFlags } from '../http-client';
import { onOneLine } from '../on-one-line';
import type { Finding } from './finding';

const check = 'service';
const silenceMs = 10_000;

interface Status {
  readonly state: string;
  readonly active_alerts?: readonly { readonly message?: string; readonly hint?: string }[];
}

export async function checkService(service: ServiceFlags): Promise<Finding[]> {
  const { url } = service;
  let status: Status;
  try {
    const answer = await askService(service, '/status/v1/services/puppetdb-status', { accepts: [503], silenceMs });
    status = (await answer.json()) as Status;
  } catch (error) {
    if (!isFault(error) || error.code !== 'cli.unreachable') throw error;
    return [
      {
        check,
        level: 'warning',
        text: `No service answers at ${url}.`,
        remedy: 'Start the service, or give its address with --url.',
      },
    ];
  }
  const alerts = (status.active_alerts ?? []).map(({ message = '', hint }): Finding => ({
    check,
    level: 'warning',
    text: `Alert: ${onOneLine(message)}`,
    ...(hint === undefined ? {} : { remedy: onOneLine(hint) }),
  }));
  const state = status.state === 'error' ? 'reports an error' : `is ${onOneLine(status.state)}`;
  return [
    { check, level: status.state === 'running' ? 'ok' : 'error', text: `The service at ${url} ${state}.` },
    ...alerts,
  ];
}

import { askIdentity, type Identity } from '../ask-identity';
import type { ServiceFlags } from '../http-client';
import { onOneLine } from '../on-one-line';
import type { Finding } from './finding';

const silenceMs = 10_000;

/**
 * Reports an error if the running service uses another log than the database in the settings. `logId` is undefined if
 * the database has no log yet. Returns no finding if the service does not answer, or does not report the id of its log.
 */
export async function checkSameLog(service: ServiceFlags, logId: string | undefined): Promise<Finding[]> {
  // `checkService` reports a service that does not answer.
  const identity: Identity = await askIdentity(service, silenceMs).catch(() => ({}));
  const theirs = identity.log_id ?? undefined;
  if (theirs === undefined || theirs === logId) return [];
  const ours = logId === undefined ? 'has no log yet' : `has the log ${logId}`;
  return [
    {
      check: 'service',
      level: 'error',
      text: `The service at ${service.url} uses another database: it has the log ${onOneLine(theirs)}, and the database of the settings ${ours}.`,
      remedy: 'Name the address of your service with --url, or its database with --data-dir or DATABASE_URL.',
    },
  ];
}

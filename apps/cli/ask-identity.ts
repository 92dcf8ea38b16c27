import { askService } from './ask-service';
import type { ServiceFlags } from './http-client';

/**
 * The answer to `GET /nodeledger/v1/live`. Only nodeledger has this route, so all members are absent if another server
 * answers.
 */
export interface Identity {
  readonly version?: string;
  /** Id of the log, or null if the process does not read the log. */
  readonly log_id?: string | null;
}

/** Requests the version and the log id of a service. Throws the faults of `askService`. */
export async function askIdentity(service: ServiceFlags, silenceMs?: number): Promise<Identity> {
  const answer = await askService(service, '/nodeledger/v1/live', {
    accepts: [404],
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  const text = await answer.text();
  return answer.ok ? (JSON.parse(text) as Identity) : {};
}

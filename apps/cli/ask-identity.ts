import { askService } from './ask-service';
import type { ServiceFlags } from './http-client';

/** What `GET /nodeledger/v1/live` tells about a process. Servers that are not nodeledger, and 0.1.0, tell nothing. */
export interface Identity {
  readonly version?: string;
  /** Null in a process that does not read the log. */
  readonly log_id?: string | null;
}

/** Asks a service for its version and its log. Faults: those of `askService`. */
export async function askIdentity(service: ServiceFlags, silenceMs?: number): Promise<Identity> {
  const answer = await askService(service, '/nodeledger/v1/live', {
    accepts: [404],
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  const text = await answer.text();
  return answer.ok ? (JSON.parse(text) as Identity) : {};
}

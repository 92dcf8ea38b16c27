import { askService } from './ask-service';
import type { ServiceFlags } from './http-client';

/** The answer to `GET /nodeledger/v1/live`. All members are absent if the server is not nodeledger. */
export interface Identity {
  readonly version?: string;
  readonly log_id?: string | null;
}

export async function askIdentity(service: ServiceFlags, silenceMs?: number): Promise<Identity> {
  const answer = await askService(service, '/nodeledger/v1/live', {
    accepts: [404],
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  const text = await answer.text();
  return answer.ok ? (JSON.parse(text) as Identity) : {};
}

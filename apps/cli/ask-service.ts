/** Asks a running service. Faults: `cli.unreachable` (busy), `cli.refused` (malformed). */
import { tokenHeaders } from '#config';
import { Fault } from '#fault';

export const defaultUrl = 'http://127.0.0.1:8080';

export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: string;
  /** Statuses besides 2xx whose answers are given to the caller. */
  readonly accepts?: readonly number[];
}

/** The answer at `path` (`/pdb/query/v4`) of the service at `url`. What the service says is wrong becomes a fault. */
export async function askService(url: string, path: string, question: Question = {}): Promise<Response> {
  const { method = 'GET', parameters = {}, body, accepts = [] } = question;
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const address = `${url.replace(/\/+$/, '')}${path}${query.size === 0 ? '' : `?${query}`}`;
  const headers = { ...tokenHeaders(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) }).catch(
    (cause: unknown) => {
      throw new Fault('busy', 'cli.unreachable', `no service answers at ${url}`, {
        hint: `Start it, or name its address: --url ${defaultUrl}.`,
        cause,
      });
    },
  );
  if (answer.ok || accepts.includes(answer.status)) return answer;
  throw new Fault('malformed', 'cli.refused', said(await answer.text(), answer.status));
}

/** The service's own words. */
export function said(body: string, status: number): string {
  try {
    const { error, msg } = JSON.parse(body) as { error?: unknown; msg?: unknown };
    const text = error ?? msg;
    if (typeof text === 'string') return text;
  } catch {
    // Not JSON: told as it is.
  }
  return body === '' ? `the service answered ${status}` : body.slice(0, 2_000).trimEnd();
}

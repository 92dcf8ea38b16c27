import { Readable } from 'node:stream';
import { Fault } from '#fault';
import { HttpClient, type ServiceFlags } from './http-client';

/** A parameter that is undefined is not sent. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly parameters?: QueryParameters;
  readonly body?: string;
  /** Statuses outside of 2xx for which `askService` returns the answer instead of throwing. */
  readonly accepts?: readonly number[];
  readonly silenceMs?: number;
}

/**
 * Throws the service's error as `cli.refused`, and the faults of `HttpClient`. If `service` is a string, it is the URL
 * of the service.
 */
export async function askService(
  service: string | ServiceFlags,
  path: string,
  question: Question = {},
): Promise<Response> {
  const { method = 'GET', parameters = {}, body, accepts = [], silenceMs } = question;
  const client = new HttpClient(
    typeof service === 'string' ? { url: service } : service,
    silenceMs === undefined ? {} : { silenceMs },
  );
  const message = await client.open(method, pathWith(path, parameters), {
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }),
  });
  const { statusCode: status = 500, headers } = message;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] => [[name, String(value)]]);
  const answer = new Response(status === 204 ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), {
    status,
    headers: pairs,
  });
  if (answer.ok || accepts.includes(status)) return answer;
  throw refused(await answer.text(), status);
}

export function pathWith(path: string, parameters: QueryParameters): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

export const refused = (body: string, status: number): Fault =>
  new Fault('malformed', 'cli.refused', errorText(body, status), {
    ...(status === 401 && { hint: 'Set NODELEDGER_TOKEN, or give --cert and --key.' }),
  });

function errorText(body: string, status: number): string {
  try {
    const { error, msg } = JSON.parse(body) as { error?: unknown; msg?: unknown };
    const text = error ?? msg;
    if (typeof text === 'string') return text;
  } catch {}
  return body === '' ? `the service answered ${status}` : body.slice(0, 2_000).trimEnd();
}

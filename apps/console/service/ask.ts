import { asOfFor } from './as-of';

/** URL of the folder that contains /console/. */
const root = new URL('../', document.baseURI);

export type Query = Readonly<Record<string, string | number | undefined>>;

/** An answer with a status outside of 2xx. The status is 0 if there was no answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | undefined,
    readonly code: string | undefined,
    /** The earliest time that the service knows, if the request was about an earlier time. */
    readonly earliest?: string,
  ) {
    super(message);
  }
}

export function urlOf(path: string, query: Query = {}): URL {
  const url = new URL(path, root);
  for (const [name, value] of Object.entries({ as_of: asOfFor(path), ...query })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Throws a Refusal if the status is outside of 2xx. */
export async function request(path: string, query: Query = {}, init: RequestInit = {}): Promise<Response> {
  // With a session cookie, the service requires this header. Other sites cannot send it, so they cannot use the
  // viewer's session.
  const headers = { 'x-nodeledger-console': '1', ...(init.headers as Record<string, string> | undefined) };
  let response: Response;
  try {
    response = await fetch(urlOf(path, query), { ...init, headers, credentials: 'same-origin', redirect: 'error' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refusal(0, 'The service does not answer.', undefined, undefined);
  }
  if (response.ok) return response;
  const { headers: answered, status } = response;
  const id = answered.get('x-request-id') ?? undefined;
  const code = answered.get('x-nodeledger-error') ?? undefined;
  const message = messageOf(await response.text()) || `The service answered ${status}.`;
  if (status === 401) for (const listener of signedOut) listener();
  throw new Refusal(status, message, id, code, answered.get('x-nodeledger-earliest') ?? undefined);
}

export async function ask<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await request(path, query, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export async function post<T>(path: string, body?: unknown, query: Query = {}): Promise<T> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await request(path, query, { method: 'POST', ...sent });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function remove(path: string, query: Query = {}): Promise<void> {
  await request(path, query, { method: 'DELETE' });
}

const signedOut = new Set<() => void>();

/** Calls `listener` after each answer with status 401. Returns a function that removes the listener. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => void signedOut.delete(listener);
}

function messageOf(body: string): string {
  try {
    const { error, msg, message } = JSON.parse(body) as Record<string, unknown>;
    return [error, msg, message].find((text) => typeof text === 'string') ?? body;
  } catch {
    return body;
  }
}

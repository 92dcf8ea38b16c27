import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isFault, retryDelay } from '#fault';
import { type QueryParameters, pathWith, refused } from '../ask-service';
import { HttpClient, type ServiceFlags } from '../http-client';
import { readEvents } from './event-lines';

/**
 * After this time without data, the client treats the connection as dead. The service sends three heartbeats in this
 * time.
 */
const silenceMs = 45_000;
const retries = { firstMs: 1_000, longestMs: 30_000 };
const completeComment = 'complete';

export interface FollowOptions {
  readonly parameters: QueryParameters;
  readonly follow: boolean;
  /** The next event is read only when the returned promise has resolved. */
  readonly onEvent: (event: string) => Promise<void>;
  /** Called after the connection has ended, before the next attempt. */
  readonly onRetry: (reason: string) => void;
}

/**
 * Reads changes until the service says that it has sent all of them. If `follow` is true, reads forever. If the
 * connection ends too early, connects again and continues after the last event. Throws if the first request fails, or
 * if the service refuses a request permanently.
 */
export async function followChanges(
  service: ServiceFlags,
  { parameters, follow, onEvent, onRetry }: FollowOptions,
): Promise<void> {
  const client = new HttpClient(service, { silenceMs });
  const path = pathWith('/nodeledger/v1/changes', { ...parameters, follow: follow ? undefined : 'false' });
  let position: string | undefined;
  let hasConnected = false;
  for (let failures = 0; ;) {
    try {
      const answer = await client.open('GET', path, {
        headers: { accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) },
      });
      const wait = await refusalDelay(answer, hasConnected);
      if (wait === undefined) {
        hasConnected = true;
        for await (const { data, id, comment } of readEvents(answer)) {
          failures = 0;
          if (data !== undefined) await onEvent(data);
          if (id !== undefined) position = id;
          if (comment === completeComment) return;
        }
        onRetry('the service has ended the answer');
      } else onRetry(`the service answered ${answer.statusCode}`);
      failures += 1;
      await delay(Math.max(wait ?? 0, retryDelay(failures, retries)));
    } catch (error) {
      if (!hasConnected || (isFault(error) && error.code === 'cli.refused')) throw error;
      failures += 1;
      onRetry(error instanceof Error ? error.message : String(error));
      await delay(retryDelay(failures, retries));
    }
  }
}

/**
 * Returns undefined if the answer contains changes. If a later attempt may succeed, returns the milliseconds to wait.
 * Otherwise throws the service's error.
 */
async function refusalDelay(answer: IncomingMessage, hasConnected: boolean): Promise<number | undefined> {
  const { statusCode: status = 0, headers } = answer;
  if (status === 200) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  // A proxy answers 502 or 504 while the service restarts.
  if (hasConnected && [502, 503, 504].includes(status)) return 1_000 * (Number(headers['retry-after']) || 0);
  throw refused(Buffer.concat(pieces).toString(), status);
}

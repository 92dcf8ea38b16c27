/**
 * Submits commands as real clients do: most clients send a command that was not acknowledged again, byte for byte, and
 * some give up at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Submission } from '../model/steps';
import { post } from './load';

export interface Outcome {
  /** One entry for each acknowledgement; undefined if there was none. */
  readonly uuid: string | undefined;
  /** The status of each failed attempt before the last one, or `connection`. */
  readonly failures: readonly string[];
}

const longestMs = 120_000;
const pauseMs = 300;

/** Throws if a client could not interpret the answer. */
export async function submitPatiently(url: string, submission: Submission, patienceMs?: number): Promise<Outcome> {
  const failures: string[] = [];
  for (const deadline = Date.now() + longestMs; Date.now() < deadline; await delay(pauseMs)) {
    const sent = await attempt(url, submission, patienceMs);
    if (sent.uuid !== undefined) return { uuid: sent.uuid, failures };
    failures.push(sent.failure);
    if (patienceMs !== undefined) break;
  }
  return { uuid: undefined, failures };
}

type Attempt = { readonly uuid: string } | { readonly uuid: undefined; readonly failure: string };

async function attempt(url: string, submission: Submission, patienceMs: number | undefined): Promise<Attempt> {
  let answer: Response;
  let text: string;
  try {
    answer = await Promise.race([post(url, submission), ...(patienceMs === undefined ? [] : [tooLate(patienceMs)])]);
    text = await answer.text();
  } catch {
    return { uuid: undefined, failure: 'connection' };
  }
  if (answer.status === 200) return { uuid: (JSON.parse(text) as { uuid: string }).uuid };
  if (answer.status === 503) return { uuid: undefined, failure: '503' };
  throw new Error(`a command was answered ${answer.status}: ${text}`);
}

async function tooLate(ms: number): Promise<never> {
  await delay(ms);
  throw new Error('too late');
}

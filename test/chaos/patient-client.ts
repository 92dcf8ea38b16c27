/** Submits as real clients do: what was not acknowledged is sent again, byte for byte; some of them give up at once. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Submission } from '../model/steps';
import { post } from './load';

export interface Outcome {
  /** One for each acknowledgement; undefined: none came. */
  readonly uuid: string | undefined;
  /** Why each attempt before the last failed: a status or `connection`. */
  readonly failures: readonly string[];
}

const longestMs = 120_000;
const pauseMs = 300;

/** Throws on any answer that a client could not make sense of. */
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

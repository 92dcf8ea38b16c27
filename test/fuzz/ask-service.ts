/**
 * Sends many requests and collects failures: a status that is not allowed, an error text that is too long, or no answer
 * in time.
 */
import { Agent, request } from 'node:http';

export interface FuzzRequest {
  readonly method: 'GET' | 'POST';
  /** Path with parameters. */
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Allowed statuses besides 200 and 400. */
  readonly allowed?: readonly number[];
}

export interface Offence {
  readonly request: FuzzRequest;
  readonly what: string;
}

export interface FuzzResult {
  /** Number of requests with that status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Queries that exceeded the time limit. The answer says so, with the status of the reference. */
  readonly late: readonly FuzzRequest[];
  readonly slowestMs: number;
  readonly offences: readonly Offence[];
}

/** Time limit of a request. It is many times longer than a request takes, because the machine may be busy. */
const hangMs = 180_000;
const isLate = ({ status, text }: Answer): boolean =>
  status === 500 && /^The query took longer than its timeout of \d+ seconds\.$/.test(text);
/** Longest text of a refusal, in characters. */
const longestRefusal = 8_192;
const atOnce = 4;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends the path unchanged. A URL object would remove its dots. */
function ask(url: string, { method, path, body, headers: further }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...further };
    const sent = request({ hostname, port, path, method, agent, headers, timeout: hangMs }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${hangMs / 1000} s`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

function complaint({ allowed = [] }: FuzzRequest, { status, text }: Answer): string | undefined {
  if (status === 400 || allowed.includes(status)) {
    if (text === '') return `status ${status} without a text`;
    return text.length > longestRefusal ? `a refusal of ${text.length} characters: ${text.slice(0, 300)}` : undefined;
  }
  if (status !== 200) return `status ${status}: ${text.slice(0, 300)}`;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return `status 200 and not JSON: ${text.slice(-200)}`;
  }
}

/** Sends every request once, a few at a time. `url`: http://127.0.0.1:8080 */
export async function askService(url: string, requests: Iterable<FuzzRequest>): Promise<FuzzResult> {
  const statuses: Record<number, number> = {};
  const offences: Offence[] = [];
  const late: FuzzRequest[] = [];
  let slowestMs = 0;
  const waiting = requests[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const one = next.value;
      const started = performance.now();
      try {
        const answer = await ask(url, one);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (isLate(answer)) {
          late.push(one);
          continue;
        }
        const what = complaint(one, answer);
        if (what !== undefined) offences.push({ request: one, what });
      } catch (error) {
        offences.push({ request: one, what: String(error) });
      } finally {
        slowestMs = Math.max(slowestMs, performance.now() - started);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { statuses, late, slowestMs: Math.round(slowestMs), offences };
}

/** Sends commands and queries without a pause. Every answer except 200 is a failure. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Submission } from '../model/steps';

export interface LoadCount {
  readonly commands: number;
  readonly queries: number;
  readonly failedCommands: readonly string[];
  readonly failedQueries: readonly string[];
  /** Longest time of a command or a query. */
  readonly slowestCommandMs: number;
  readonly slowestQueryMs: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly next: () => Submission;
  readonly queries: readonly string[];
  /** Concurrent requests; default 2 each. */
  readonly submitters?: number;
  readonly askers?: number;
  /** Pause of a submitter between an answer and its next command; default 20. */
  readonly pauseMs?: number;
}

const answerMs = 60_000;

/** `bytes` replaces the payload if it is not sent as plain JSON. */
export async function post(
  url: string,
  { command, version, certname, payload }: Pick<Submission, 'command' | 'version' | 'certname'> & { payload?: string },
  bytes?: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  return fetch(`${url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: bytes === undefined ? (payload ?? '') : new Uint8Array(bytes),
    signal: AbortSignal.timeout(answerMs),
  });
}

export class Load {
  private readonly stopping = new AbortController();
  private readonly count = { commands: 0, queries: 0, slowestCommandMs: 0, slowestQueryMs: 0 };
  private readonly failed = { commands: [] as string[], queries: [] as string[] };
  private readonly running: Promise<void>[];

  constructor(private readonly options: LoadOptions) {
    const { submitters = 2, askers = 2 } = options;
    this.running = [
      ...Array.from({ length: submitters }, () => this.submit()),
      ...Array.from({ length: askers }, (_, index) => this.ask(index)),
    ];
  }

  async stop(): Promise<LoadCount> {
    this.stopping.abort();
    await Promise.all(this.running);
    return { ...this.count, failedCommands: this.failed.commands, failedQueries: this.failed.queries };
  }

  private async submit(): Promise<void> {
    const { url, next, pauseMs = 20 } = this.options;
    while (!this.stopping.signal.aborted) {
      const submission = next();
      const began = performance.now();
      const wrong = await problem(() => post(url, submission));
      this.count.commands++;
      this.count.slowestCommandMs = Math.max(this.count.slowestCommandMs, performance.now() - began);
      if (wrong !== undefined) this.failed.commands.push(wrong);
      await delay(pauseMs);
    }
  }

  private async ask(first: number): Promise<void> {
    const { url, queries } = this.options;
    for (let index = first; !this.stopping.signal.aborted; index++) {
      const path = queries[index % queries.length] as string;
      const began = performance.now();
      const wrong = await problem(() =>
        fetch(`${url}/pdb/query/v4/${path}`, { signal: AbortSignal.timeout(answerMs) }),
      );
      this.count.queries++;
      this.count.slowestQueryMs = Math.max(this.count.slowestQueryMs, performance.now() - began);
      if (wrong !== undefined) this.failed.queries.push(`${path}: ${wrong}`);
      await delay(10);
    }
  }
}

/** Returns undefined if the answer is complete, has the status 200 and is valid JSON. */
async function problem(send: () => Promise<Response>): Promise<string | undefined> {
  try {
    const answer = await send();
    const text = await answer.text();
    if (answer.status !== 200) return `${answer.status} ${text.slice(0, 300)}`;
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  }
}

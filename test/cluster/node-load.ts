import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandLog } from '#log';
import { newRecord } from '../../libs/log/testing/contract-records';

/** The outcome of one append. */
export interface Outcome {
  readonly uuid: string;
  readonly certname: string;
  /** Increases for each node, in the order in which its records were appended. */
  readonly version: number;
  readonly ms: number;
  readonly error?: unknown;
}

/**
 * Appends a record of each node every `everyMs` until it is stopped. Does not wait for acknowledgements, so that
 * several records of a node wait and are sent together.
 */
export class NodeLoad {
  readonly outcomes: Outcome[] = [];
  private readonly stopping = new AbortController();
  private readonly done: Promise<unknown>;

  constructor(
    private readonly log: CommandLog,
    certnames: readonly string[],
    everyMs: number,
  ) {
    this.done = Promise.all(certnames.map((certname) => this.run(certname, everyMs)));
  }

  /** Resolves when all appends have an outcome. */
  async stop(): Promise<readonly Outcome[]> {
    this.stopping.abort();
    await this.done;
    return this.outcomes;
  }

  private async run(certname: string, everyMs: number): Promise<void> {
    const appends: Promise<void>[] = [];
    for (let version = 1; !this.stopping.signal.aborted; version++) {
      appends.push(this.append(certname, version));
      await delay(everyMs);
    }
    await Promise.all(appends);
  }

  private async append(certname: string, version: number): Promise<void> {
    const record = newRecord(certname, { version, payload: randomBytes(500) });
    const began = performance.now();
    const outcome = (error?: unknown): void => {
      const ms = performance.now() - began;
      this.outcomes.push({ uuid: record.uuid, certname, version, ms, ...(error !== undefined && { error }) });
    };
    await this.log.append(record).then(() => outcome(), outcome);
  }
}

/** Submits changes of some nodes without a pause, and checks that subscribers get all of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { factset } from './documents';
import { disorder, type ReceivedEvent } from './event-stream';
import { until } from './until';

export interface ChangeLoadOptions {
  /** Returns the address of the service at the moment. */
  readonly url: () => string | Promise<string>;
  readonly nodes?: number;
  /** Pause of each node between two changes. */
  readonly pauseMs?: number;
}

/** What a subscriber of a stream, or a receiver of webhooks, has got. */
interface Arrived {
  /** In the order in which they arrived, with repetitions. */
  readonly events: readonly ReceivedEvent[];
  readonly ids: ReadonlySet<string>;
  /** Refused attempts to connect. */
  readonly refusals?: readonly string[];
}

/** Each command of a node has another value, so each one is a change. Commands of a node follow each other. */
export class ChangeLoad {
  /** The ids of the changes that were acknowledged, by node. */
  readonly acknowledged = new Map<string, string[]>();
  private stopped = false;
  private readonly running: Promise<unknown>;

  constructor(private readonly options: ChangeLoadOptions) {
    const { nodes = 20 } = options;
    this.running = Promise.all(Array.from({ length: nodes }, (_, node) => this.run(`n${node}.changes.test`)));
  }

  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, ids) => sum + ids.length, 0);
  }

  /** Waits until so many more changes are acknowledged. */
  async more(changes: number): Promise<void> {
    const reached = this.count + changes;
    await until(() => this.count >= reached, { what: `${changes} acknowledged changes`, withinMs: 120_000 });
  }

  /** Resolves when each node's last command is acknowledged. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Waits until all acknowledged changes have arrived, and checks their order. */
  async expectAll(arrived: Arrived): Promise<void> {
    const missing = (): string[] => {
      const { ids } = arrived;
      return [...this.acknowledged.values()].flat().filter((id) => !ids.has(id));
    };
    await until(() => missing().length === 0, {
      what: 'the arrival of all changes',
      withinMs: 60_000,
      everyMs: 200,
    }).catch((error: unknown) => {
      throw new Error(
        `${String(error)}; ${missing().length} of ${this.count} are missing: ${missing().slice(0, 5).join(', ')}`,
      );
    });
    expect(disorder(arrived.events)).toEqual([]);
    // The order of the log is the order of the acknowledgements, because each node waits for its answer.
    const order = new Map<string, string[]>();
    for (const id of new Set(arrived.events.map((event) => `${event.subject} ${event.id}`))) {
      const [subject = '', event = ''] = id.split(' ');
      const known = order.get(subject) ?? [];
      order.set(subject, known);
      if (this.acknowledged.get(subject)?.includes(event)) known.push(event);
    }
    expect(Object.fromEntries(order)).toEqual(Object.fromEntries(this.acknowledged));
    expect(arrived.refusals ?? []).toEqual([]);
  }

  private async run(certname: string): Promise<void> {
    const ids: string[] = [];
    this.acknowledged.set(certname, ids);
    for (let value = 1; !this.stopped; value++) {
      const body = JSON.stringify(factset(certname, { value }, { producer_timestamp: new Date().toISOString() }));
      // A command that was not acknowledged may be in the log. The next one has another value in any case.
      const uuid = await this.submit(certname, body).catch(() => undefined);
      if (uuid === undefined) await delay(100);
      else ids.push(`${uuid}/facts`);
      await delay(this.options.pauseMs ?? 20);
    }
  }

  /** Returns the UUID of the command, or undefined if it was not acknowledged. */
  private async submit(certname: string, body: string): Promise<string | undefined> {
    const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
    const answer = await fetch(`${await this.options.url()}/pdb/cmd/v1?${parameters}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    return answer.status === 200 ? (JSON.parse(text) as { uuid: string }).uuid : undefined;
  }
}

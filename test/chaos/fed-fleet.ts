/**
 * Submits a fleet whose log contains everything that can happen to a node, including outdated, rejected and retried
 * documents and deleted nodes.
 */
import { gzipSync } from 'node:zlib';
import { submission, type PoisonKind, type Submission } from '../model/steps';
import { factset } from '../support/documents';
import { until } from '../support/until';
import { post } from './load';
import { RandomCommands, stepTime } from './random-commands';
import type { Seeded } from './seeded';

const dayMs = 86_400_000;

/**
 * Settings of the service: nodes expire after 10 days and are purged 30 days later, and reports are deleted after 20
 * days.
 */
export const fleetSettings = {
  NODELEDGER_NODE_TTL: '10d',
  NODELEDGER_NODE_PURGE_TTL: '30d',
  NODELEDGER_NODE_PURGE_GC_BATCH_LIMIT: '0',
  NODELEDGER_REPORT_TTL: '20d',
};
/** The first setting rejects documents that the second one accepts, so a retry between the two succeeds. */
export const tightSettings = { NODELEDGER_MAX_COMMAND_SIZE: '20000' };
export const wideSettings = { NODELEDGER_MAX_COMMAND_SIZE: '200000' };

const poisons: readonly PoisonKind[] = [
  ...(['not-json', 'other-certname', 'future', 'bad-time', 'edge-to-nowhere', 'twice'] as const),
];

export class FedFleet {
  readonly living = Array.from({ length: 30 }, (_, n) => `n${n}.fleet.test`);
  /** Deleted or purged nodes. After a snapshot, nothing of them may remain. */
  readonly gone: string[] = [];
  private readonly recent: RandomCommands;
  private readonly old: RandomCommands;
  private readonly ancient: RandomCommands;
  private rounds = 0;

  constructor(
    private readonly random: Seeded,
    private readonly url: () => string,
  ) {
    const ago = (days: number): number => Date.now() - days * dayMs;
    this.recent = new RandomCommands({ random: random.fork(), from: ago(5), staleBy: dayMs / 1000 });
    // Reports of these times are purged, and nodes without newer documents expire.
    this.old = new RandomCommands({ random: random.fork(), from: ago(25) });
    this.ancient = new RandomCommands({ random: random.fork(), from: ago(50) });
  }

  /** Returns a command about one of the existing nodes. */
  readonly next = (): Submission => this.recent.next(this.random.pick(this.living));

  /** Submits documents of all kinds, then the commands that remove some of them, then documents again. */
  async feed(commands: number): Promise<void> {
    const round = ++this.rounds;
    const some = (kind: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${kind}-${round}-${n}-${this.random.whole(1e8, 1e9)}.test`);
    const [doomed, returning, silent, away] = [
      some('doomed', 4),
      some('returning', 3),
      some('silent', 3),
      some('away', 3),
    ];
    for (const certname of [...doomed, ...returning]) await this.allKinds(certname, this.recent);
    for (const certname of silent) await this.allKinds(certname, this.old);
    for (const certname of away) {
      await this.allKinds(certname, this.ancient);
      await this.send(
        submission({ do: 'deactivate', node: certname, at: stepTime(Date.now() - 45 * dayMs), zone: 'utc' }, certname),
      );
    }
    for (const certname of this.living.slice(0, 10)) await this.send(this.old.next(certname, 'report'));
    await this.many(commands / 2);
    for (const how of poisons) {
      for (const certname of [this.random.pick(this.living), doomed[0] as string]) {
        await this.send(submission({ do: 'poison', node: certname, at: stepTime(Date.now()), how }, certname));
      }
    }
    // A cleaning finds nodes in the tables only.
    await until(async () => (await this.deactivatedOf(away)) === away.length, {
      what: 'the deactivated nodes',
      withinMs: 60_000,
    });
    await this.clean('expire_nodes', 'purge_nodes', 'purge_reports');
    for (const certname of [...doomed, ...returning]) await this.admin('delete', { certname });
    this.gone.push(...doomed, ...away);
    for (const certname of returning) await this.send(this.recent.next(certname, 'facts'));
    await this.send(this.recent.next(silent[0] as string, 'facts'));
    await this.many(commands / 2);
  }

  /**
   * Facts that `tightSettings` rejects although their envelope declares a small size. Their nodes have no other
   * documents, because a replay applies the facts at their own position and not at that of the retry.
   */
  async sendLarge(): Promise<void> {
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`large_${n}`, 'x'.repeat(500)]));
    for (const certname of ['large-0.test', 'large-1.test', 'large-2.test']) {
      const document = factset(certname, values, { producer_timestamp: new Date().toISOString() });
      await this.accepted(
        await post(this.url(), { command: 'replace facts', version: 5, certname }, gzipSync(JSON.stringify(document)), {
          'content-encoding': 'gzip',
          'x-uncompressed-length': '900',
        }),
      );
    }
  }

  /** Retries all dead letters. */
  async retry(): Promise<{ readonly applied: number; readonly rejected: number }> {
    const answer = await fetch(`${this.url()}/nodeledger/v1/dead-letters/retry?all=true&wait=60`, { method: 'POST' });
    return (await this.accepted(answer)) as { applied: number; rejected: number };
  }

  async admin(command: string, payload: unknown): Promise<void> {
    const answer = await fetch(`${this.url()}/pdb/admin/v1/cmd`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ command, version: 1, payload }),
    });
    await this.accepted(answer);
  }

  private clean(...operations: string[]): Promise<void> {
    return this.admin('clean', operations);
  }

  /** Returns the number of deactivated nodes. `inactive` leaves out nodes that a cleaning can purge. */
  private async deactivatedOf(certnames: readonly string[]): Promise<number> {
    const query = `nodes[count()] { certname in ${JSON.stringify(certnames)} and node_state = "any" and deactivated is not null }`;
    const answer = await fetch(`${this.url()}/pdb/query/v4?query=${encodeURIComponent(query)}`);
    const [row] = (await this.accepted(answer)) as readonly { readonly count: number }[];
    return row?.count ?? 0;
  }

  private async allKinds(certname: string, commands: RandomCommands): Promise<void> {
    for (const kind of ['facts', 'catalog', 'report', 'inputs'] as const)
      await this.send(commands.next(certname, kind));
  }

  private async many(count: number): Promise<void> {
    const each = async (): Promise<void> => {
      for (let n = 0; n < count / 8; n++) await this.send(this.next());
    };
    await Promise.all(Array.from({ length: 8 }, each));
  }

  private async send(submitted: Submission): Promise<void> {
    await this.accepted(await post(this.url(), submitted));
  }

  private async accepted(answer: Response): Promise<unknown> {
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return JSON.parse(text);
  }
}

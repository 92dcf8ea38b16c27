import { Generations, type Generation } from '#database';
import { defaultLimits } from '#limits';
import type { CommandLog } from '#log';
import { letterName, retryHeader } from '../../libs/projections/dead-letters/letter-name';
import type { ReplayContext, ReplayProgress } from '../../libs/projections/replay/replay-context';
import { limitNode } from './age-limits';
import { catalog, event, factset, report, resource } from './documents';
import type { ProjectionBench } from './projection';

export const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();

/** The parameters of maintenance verbs for the tables of a test, and checks of these tables. */
export class MaintenanceBench {
  readonly generations: Generations;
  /** Progress reports of the verbs. */
  readonly progress: ReplayProgress[] = [];

  constructor(private readonly bench: ProjectionBench) {
    this.generations = new Generations(bench.db);
  }

  context(over: Partial<ReplayContext> = {}): ReplayContext {
    const { db, log, logId, dropFact, maxCommandBytes } = this.bench;
    return {
      ...{ db, log, logId, dropFact, maxCommandBytes, limits: defaultLimits },
      signal: new AbortController().signal,
      onProgress: (one) => void this.progress.push(one),
      ...over,
    };
  }

  async live(): Promise<Generation> {
    return (await this.generations.live()) as Generation;
  }

  async states(): Promise<string[]> {
    return (await this.generations.list()).map(({ schema, state }) => `${schema} ${state}`);
  }

  /** Number of records that were ever appended. */
  async sizeOf(log: CommandLog = this.bench.log): Promise<number> {
    return [...(await log.ends()).values()].reduce((sum, end) => sum + end - 1, 0);
  }

  /**
   * Submits documents of ten nodes: all kinds, outdated ones, a dead letter with its retry, and nodes that are deleted.
   */
  async feed(): Promise<void> {
    const { bench } = this;
    for (let n = 0; n < 10; n++) {
      const certname = `node-${n}`;
      const shared = [
        resource('/etc/motd'),
        resource('/etc/hosts', { parameters: { mode: `064${n % 3}`, size: 1.0 } }),
      ];
      await bench.submit('replace facts', certname, {
        payload: factset(certname, { n, os: { name: 'Debian' }, load: [0.5, n] }, { producer_timestamp: day(3) }),
      });
      await bench.submit('replace facts', certname, {
        payload: factset(certname, { n: 'stale' }, { producer_timestamp: day(2) }),
      });
      await bench.submit('replace catalog', certname, { payload: catalog(certname, shared, []) });
      for (let run = 1; run <= 3; run++) {
        await bench.submit('store report', certname, {
          payload: report(certname, [event('ensure')], {
            producer_timestamp: day(run),
            configuration_version: `v${run}`,
          }),
        });
      }
    }
    await bench.submit('deactivate node', 'node-1', {
      payload: { certname: 'node-1', producer_timestamp: day(9) },
    });
    await limitNode(bench, 'node-2', { expiry: { expired: day(20), cutoff: day(19), most: 1 } });
    await limitNode(bench, 'node-3', { reportsBefore: day(3) });
    await bench.submit('delete node', 'node-4', { version: 1, payload: { certname: 'node-4' } });
    const rejected = await bench.submit('replace facts', 'node-5', { payload: '{broken' });
    await bench.log.append({
      uuid: '11111111-2222-4333-8444-555555555555',
      command: 'replace facts',
      version: 5,
      certname: 'node-5',
      receivedAt: Date.UTC(2026, 5, 1),
      encoding: 'identity',
      payload: Buffer.from(JSON.stringify(factset('node-5', { mended: true }, { producer_timestamp: day(12) }))),
      headers: { [retryHeader]: letterName(rejected) },
    });
  }
}

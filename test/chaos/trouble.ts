/**
 * Causes random failures around the service until it is stopped. Failures of different kinds are independent of each
 * other.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultProxy } from '../support/fault-proxy';
import type { OwnBroker } from '../support/kafka';
import type { KeptProcess } from './kept-process';
import type { OwnPostgres } from './own-postgres';
import type { Seeded } from './seeded';

export interface Surroundings {
  readonly broker: OwnBroker;
  readonly proxy: FaultProxy;
  readonly postgres: OwnPostgres;
  readonly projectors: readonly KeptProcess[];
}

interface FailureSeries {
  readonly happenings: Readonly<Record<string, () => Promise<void>>>;
  /** Pause between two failures, milliseconds. */
  readonly pause: readonly [least: number, most: number];
}

export class Trouble {
  /** Number of failures by kind. */
  readonly counts = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[];

  constructor(
    private readonly around: Surroundings,
    random: Seeded,
  ) {
    this.running = [this.projectors, this.broker, this.postgres, this.proxy].map((series) => {
      const own = random.fork();
      const running = this.run(series(own), own);
      // The error that `stop()` throws. Until then, nobody waits for it.
      running.catch(() => undefined);
      return running;
    });
  }

  /** Resolves when everything is repaired. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const ends = await Promise.allSettled(this.running);
    this.around.proxy.pass();
    await this.around.proxy.accept();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async run({ happenings, pause }: FailureSeries, random: Seeded): Promise<void> {
    for (const name of random.decks(Object.keys(happenings))) {
      await delay(random.whole(...pause), undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      await happenings[name]?.();
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  private readonly projectors = (random: Seeded): FailureSeries => ({
    happenings: {
      'projector killed': async () => random.pick(this.around.projectors).kill(),
      // Longer than the session of the process: others take over its work, and then it continues where it was.
      'projector asleep': async () => {
        const { pid } = await random.pick(this.around.projectors).running();
        process.kill(pid, 'SIGSTOP');
        await delay(random.whole(11_000, 13_000));
        process.kill(pid, 'SIGCONT');
      },
    },
    pause: [3_000, 9_000],
  });

  private readonly broker = (random: Seeded): FailureSeries => {
    const { broker } = this.around;
    return {
      happenings: {
        'broker killed': async () => {
          await broker.kill();
          await delay(random.whole(0, 1_000));
          await broker.restart();
        },
        'broker restarted': () => broker.restart(),
        'broker away': async () => {
          await broker.kill();
          // Longer than a command waits for it.
          await delay(random.whole(16_000, 18_000));
          await broker.restart();
        },
      },
      pause: [7_000, 14_000],
    };
  };

  private readonly postgres = (random: Seeded): FailureSeries => {
    const restart = (how: 'fast' | 'immediate' | 'kill') => () =>
      this.around.postgres.restart(how, random.whole(0, 1_500));
    return {
      happenings: {
        'PostgreSQL restarted': restart('fast'),
        'PostgreSQL stopped in immediate mode': restart('immediate'),
        'PostgreSQL killed': restart('kill'),
      },
      pause: [5_000, 11_000],
    };
  };

  /** Interrupts the connection between the service and the broker. */
  private readonly proxy = (random: Seeded): FailureSeries => {
    const { proxy } = this.around;
    const forAWhile = (begin: () => void | Promise<void>) => async (): Promise<void> => {
      await begin();
      await delay(random.whole(200, 2_000));
      await proxy.accept();
      proxy.pass();
    };
    return {
      happenings: {
        'answers lost': forAWhile(() => proxy.swallowAnswers()),
        'answers lost, then cut': forAWhile(() => proxy.swallowAnswers({ cutAfterMs: random.whole(10, 300) })),
        cut: async () => proxy.cut(),
        stalled: forAWhile(() => proxy.stall()),
        slow: forAWhile(() => proxy.delay(random.whole(20, 200))),
        refused: forAWhile(async () => {
          await proxy.refuse();
          proxy.cut();
        }),
      },
      pause: [1_500, 5_000],
    };
  };
}

import { type LogStatus, readLogStatus } from '#admin';
import type { Alert, ServiceHealth } from '#observe';
import { countWaitingLetters, rebuildProgress } from '#projections';
import { Cached } from '../metrics/cached';
import type { Filled } from '../open-filled';

/** Every open page of the console requests the report, so the report is cached. */
const forMs = 1_000;
const patienceMs = 5_000;

interface Work {
  readonly kind: 'rebuild';
  readonly generation: number;
  /** Number of applied records. `of` is the number of all records. */
  readonly done: number;
  readonly of: number;
}

export interface OperationReport extends LogStatus {
  readonly at: string;
  readonly work: readonly Work[];
  readonly deadLetters: number;
  readonly health: Pick<ServiceHealth, 'state' | 'components' | 'storage'>;
  readonly alerts: readonly Alert[];
}

interface OperationParts {
  readonly filled: Pick<Filled, 'db' | 'log' | 'location' | 'task'>;
  readonly look: () => Promise<ServiceHealth>;
  readonly alerts: () => readonly Alert[];
}

export class Operation {
  private readonly report: Cached<OperationReport>;

  constructor(private readonly parts: OperationParts) {
    this.report = new Cached(() => this.make(), { forMs, patienceMs });
  }

  /** Returns undefined until the database and the log have answered for the first time. */
  read(): Promise<OperationReport | undefined> {
    return this.report.get();
  }

  private async make(): Promise<OperationReport> {
    const { filled, look, alerts } = this.parts;
    const { db, log, location, task } = filled;
    const [status, rebuild, letters, health] = await Promise.all([
      readLogStatus(db, log, { logId: task.logId }, location ?? 'embedded'),
      rebuildProgress(db, log),
      countWaitingLetters(db),
      look(),
    ]);
    const { state, components, storage } = health;
    return {
      at: new Date().toISOString(),
      ...status,
      work:
        rebuild === undefined
          ? []
          : [{ kind: 'rebuild', generation: rebuild.generation, done: rebuild.done, of: rebuild.total }],
      deadLetters: letters.letters,
      health: { state, components, storage },
      alerts: alerts(),
    };
  }
}

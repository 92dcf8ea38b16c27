import { appliedPositions, type Database } from '#database';
import { type CommandLog, countWaitingCommands } from '#log';
import {
  countWaitingLetters,
  type Population,
  readPopulation,
  rebuildProgress,
  type RebuildProgress,
  type WaitingLetters,
} from '#projections';
import { Cached } from './cached';

const patienceMs = 2_000;
const lagMs = 2_000;
const storedMs = 30_000;

/**
 * Has its own connections, so that metrics never wait for queries. Caches the figures, so that frequent requests cost
 * the database little.
 */
export class StoredFigures {
  private readonly lags: Cached<ReadonlyMap<number, number> | undefined>;
  private readonly populations: Cached<Population | undefined>;
  private readonly letterCounts: Cached<WaitingLetters>;
  private readonly rebuilds: Cached<RebuildProgress | undefined>;
  private readonly commands: Cached<ReadonlyMap<string, number> | undefined>;

  constructor(
    private readonly db: Database,
    private readonly log: Pick<CommandLog, 'ends' | 'extent'> | undefined,
    isEmbedded: boolean,
  ) {
    const stored = { forMs: storedMs, patienceMs };
    this.lags = new Cached(() => this.readLag(), { forMs: lagMs, patienceMs });
    this.populations = new Cached(() => readPopulation(db), stored);
    this.letterCounts = new Cached(() => countWaitingLetters(db), stored);
    this.rebuilds = new Cached(() => this.readRebuild(), { forMs: lagMs, patienceMs });
    const count = async () => (isEmbedded ? countWaitingCommands(db, await appliedPositions(db)) : undefined);
    this.commands = new Cached(count, { forMs: lagMs, patienceMs });
  }

  /** Returns the number of commands in each partition that wait for projection. */
  lag(): Promise<ReadonlyMap<number, number> | undefined> {
    return this.lags.get();
  }

  population(): Promise<Population | undefined> {
    return this.populations.get();
  }

  letters(): Promise<WaitingLetters | undefined> {
    return this.letterCounts.get();
  }

  rebuild(): Promise<RebuildProgress | undefined> {
    return this.rebuilds.get();
  }

  /**
   * Returns the number of commands that wait for projection. Keys are command and version, such as `store report 8`.
   */
  waiting(): Promise<ReadonlyMap<string, number> | undefined> {
    return this.log === undefined ? Promise.resolve(undefined) : this.commands.get();
  }

  close(): Promise<void> {
    return this.db.close();
  }

  private async readLag(): Promise<ReadonlyMap<number, number> | undefined> {
    if (this.log === undefined) return undefined;
    const [ends, applied] = await Promise.all([this.log.ends(), appliedPositions(this.db)]);
    return new Map(
      [...ends].map(([partition, end]) => [partition, Math.max(0, end - (applied.get(partition) ?? end))]),
    );
  }

  private async readRebuild(): Promise<RebuildProgress | undefined> {
    return this.log === undefined ? undefined : rebuildProgress(this.db, this.log);
  }
}

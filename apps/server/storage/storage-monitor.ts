import { resolve } from 'node:path';
import { type Settings, showByteSize } from '#config';
import { appliedPositions, type Database, maxWalBytes } from '#database';
import { Fault, withTimeout } from '#fault';
import type { CommandLog } from '#log';
import { type Alerts, Outage, type Storage } from '#observe';
import { Cached } from '../metrics/cached';
import { answerOf } from '../outages';
import type { PeriodicSnapshot } from '../periodic-snapshot';
import { waitingCommands } from '../waiting-commands';
import { diskReserve, diskSpace, type DiskSpace } from './disk-space';
import { readStorageSize, storageOn, type StorageSize } from './read-storage';

interface StorageMonitorOptions {
  readonly settings: Readonly<Settings>;
  readonly db: Database;
  readonly log: Pick<CommandLog, 'ends'>;
  readonly alerts: Alerts;
}

/** Sizes are cached only briefly, because a new log grows quickly. */
const sizesMs = 5_000;
const patienceMs = 2_000;
/** After a refusal, commands are accepted again when the free space is this many times the needed space. */
const enough = 1.1;
/** If the free space is below this many times the needed space, each command triggers an early check. */
const near = 2;
/**
 * Bounds for the estimated ratio of bytes in read tables to bytes in the log. The estimate assumes that waiting
 * commands have the same ratio as applied commands.
 */
const [leastRatio, mostRatio] = [1, 10];

/**
 * Refuses commands before the disk of the embedded PostgreSQL is full. PostgreSQL ends if it has no space for the
 * write-ahead log, and queries would then fail, too.
 */
export class StorageMonitor {
  private readonly sizes: Cached<StorageSize>;
  private readonly outage: Outage | undefined;
  private space: DiskSpace | undefined;
  private isNear = false;
  /** The largest free space, in bytes, since this class last made the cached sizes expire. */
  private freeAtSizes = Infinity;
  private backlog = 0;
  /** Paused while the disk is almost full, because a snapshot needs space before it frees space. */
  snapshots: Pick<PeriodicSnapshot, 'start' | 'pause'> | undefined;

  constructor(private readonly options: StorageMonitorOptions) {
    const { settings, db, alerts } = options;
    this.sizes = new Cached(() => readStorageSize(db, settings), { forMs: sizesMs, patienceMs });
    if (settings.databaseUrl !== undefined) return;
    this.outage = new Outage({
      alerts,
      code: 'database.disk-low',
      probe: () => this.look(),
      always: true,
      describe: (error) => ({
        message: (error as Error).message,
        effect:
          'Commands are answered 503; those that were answered 200 are safe. Queries, the projector, deletions and cleanings continue.',
        hint: 'Enlarge the file system, or delete other files on it. The service then accepts commands again by itself. docs/reliability.md says what else frees space.',
      }),
    });
    this.outage.suspect(undefined);
  }

  /** Returns undefined until the database has answered for the first time. */
  async storage(): Promise<Storage | undefined> {
    const size = await this.sizes.get();
    if (size === undefined) return undefined;
    return this.space === undefined ? size : storageOn(size, this.space, this.options.settings);
  }

  get isLow(): boolean {
    return this.outage?.alert !== undefined;
  }

  /**
   * Returns the fault that refuses a command while the disk is almost full. Every append calls this method, so it makes
   * no system call.
   */
  refusal(): Fault | undefined {
    const { outage } = this;
    if (outage === undefined) return undefined;
    const { alert } = outage;
    if (alert !== undefined) return answerOf(outage.code, alert, undefined);
    if (this.isNear) outage.suspect(undefined);
    return undefined;
  }

  async close(): Promise<void> {
    await this.outage?.close();
  }

  private async look(): Promise<void> {
    const { dataDir, minFreeDisk } = this.options.settings;
    const directory = resolve(dataDir);
    const space = (this.space = await diskSpace(directory).catch(() => undefined));
    if (space === undefined) return;
    const reserve = diskReserve(minFreeDisk, space.total);
    // Clients can fill a small disk while the sizes are cached. If the free space shrinks quickly, the sizes are read
    // again.
    if (space.free < this.freeAtSizes - reserve / 2) {
      this.freeAtSizes = space.free;
      this.sizes.expire();
    }
    this.freeAtSizes = Math.max(this.freeAtSizes, space.free);
    if (reserve > 0)
      this.backlog =
        (await withTimeout(this.backlogBytes(space.total), patienceMs).catch(() => undefined)) ?? this.backlog;
    const { backlog } = this;
    const needed = reserve + backlog;
    this.isNear = space.free < near * needed;
    const isLow = space.free < needed * (this.isLow ? enough : 1);
    if (isLow) this.snapshots?.pause();
    else this.snapshots?.start();
    if (!isLow) return;
    const kept = [`${showByteSize(reserve)} must stay free (NODELEDGER_MIN_FREE_DISK)`];
    if (backlog > 0) kept.push(`${showByteSize(backlog)} for commands that are accepted and not applied yet`);
    throw new Fault(
      'busy',
      'database.disk-low',
      `The disk of ${directory} is almost full: ${showByteSize(space.free)} of ${showByteSize(space.total)} are free, and ${kept.join(', and ')}.`,
    );
  }

  /** Estimates the growth, in bytes, of the tables and the write-ahead log when the waiting commands are applied. */
  private async backlogBytes(total: number): Promise<number> {
    const { log, db } = this.options;
    const size = await this.sizes.get();
    if (size === undefined) return 0;
    const waiting = waitingCommands(await log.ends(), await appliedPositions(db)) * size.recordBytes;
    const applied = (size.logBytes ?? 0) - waiting;
    const ratio = applied > 0 ? (size.tableBytes + size.pastBytes) / applied : mostRatio;
    const tables = waiting * Math.min(mostRatio, Math.max(leastRatio, ratio));
    // The write-ahead log grows up to its maximum, and then reuses its files.
    return tables + Math.min(tables, Math.max(0, maxWalBytes(total) - (size.walBytes ?? 0)));
  }
}

import { ownVersion } from '#config';
import { appliedPositions, type Database, type Generations } from '#database';
import type { CommandLog } from '#log';
import { type Alert, type Alerts, ServiceState, type ServiceHealth } from '#observe';
import { projectionVersion } from '#projections';
import { withTimeout } from './with-timeout';
import type { Component, Components } from './components';
import type { StorageWatch } from './storage/storage-watch';
import { waitingCommands } from './waiting-commands';

/** Probes must be answered, also while the database hangs. */
const patienceMs = 2_000;

const answerOf = <T>(work: Promise<T>): Promise<T | undefined> => withTimeout(work, patienceMs).catch(() => undefined);

/** What this process has of the service, depending on its components; it has one of `filled` and `readGenerations` at least. */
interface LiveStateParts {
  readonly reportedVersion: string;
  readonly product: string;
  /** Undefined: the process has only the component `read`. */
  readonly logId?: string;
  readonly components: Components;
  readonly alerts: Alerts;
  /** The log, and the database in which its records are applied. */
  readonly filled?: { readonly log: Pick<CommandLog, 'ends'>; readonly db: Database };
  /** On connections that queries do not use. */
  readonly readGenerations?: Generations;
  /** With the component `project`: whether the projector runs. */
  readonly projects?: () => boolean;
  /** With the component `write`: whether nothing is known to stand in the way of commands, where the database is up or not. */
  readonly acceptsCommands?: (databaseUp: boolean) => boolean;
  /** With `filled`. */
  readonly storage?: Pick<StorageWatch, 'isLow' | 'storage'>;
}

/** Looks at what runs. What another process has is not looked at: it counts as well, or as empty. */
export class LiveState extends ServiceState {
  readonly version = ownVersion();
  readonly reportedVersion: string;
  readonly product: string;
  readonly logId: string | null;
  private drains = false;
  private isStopping = false;
  private queueDepth = 0;
  private looking: Promise<ServiceHealth> | undefined;

  constructor(private readonly parts: LiveStateParts) {
    super();
    this.reportedVersion = parts.reportedVersion;
    this.product = parts.product;
    this.logId = parts.logId ?? null;
  }

  get draining(): boolean {
    return this.drains || this.isStopping;
  }

  /** The first step of a stop: the process is not ready any more, and goes on to answer. */
  drain(): void {
    this.drains = true;
  }

  get stopping(): boolean {
    return this.isStopping;
  }

  stop(): void {
    this.isStopping = true;
  }

  alerts(): readonly Alert[] {
    return this.parts.alerts.active();
  }

  /** However many ask at once, the databases are asked by one of them. */
  look(): Promise<ServiceHealth> {
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookNow(): Promise<ServiceHealth> {
    const { storage } = this.parts;
    const [filled, read, stored] = await Promise.all([this.filledAnswers(), this.readsAnswer(), storage?.storage()]);
    const refusesCommands = storage?.isLow === true;
    const writeDatabaseUp = filled ?? read === true;
    const readDatabaseUp = read ?? writeDatabaseUp;
    const works: Record<Component, () => boolean> = {
      write: () => !refusesCommands && (this.parts.acceptsCommands?.(writeDatabaseUp) ?? writeDatabaseUp),
      project: () => writeDatabaseUp && this.parts.projects?.() !== false,
      read: () => readDatabaseUp,
    };
    return {
      state: this.stateOf(writeDatabaseUp && readDatabaseUp),
      readDatabaseUp,
      writeDatabaseUp,
      queueDepth: this.queueDepth,
      components: Object.fromEntries([...this.parts.components].map((component) => [component, works[component]()])),
      ...(storage === undefined ? {} : { refusesCommands, storage: stored }),
    };
  }

  private stateOf(up: boolean): ServiceHealth['state'] {
    if (this.draining) return 'stopping';
    if (!up) return 'error';
    const onlyProjects = this.parts.components.size === 1;
    return onlyProjects && this.parts.projects?.() === false ? 'starting' : 'running';
  }

  /**
   * Whether the database in which records are applied answers; undefined where this process has none. Counts what waits;
   * where the log does not answer, as one partition without a leader is enough for, the last count stays: an alert tells.
   */
  private async filledAnswers(): Promise<boolean | undefined> {
    const { filled } = this.parts;
    if (filled === undefined) return undefined;
    const [ends, applied] = await Promise.all([answerOf(filled.log.ends()), answerOf(appliedPositions(filled.db))]);
    if (ends !== undefined && applied !== undefined) this.queueDepth = waitingCommands(ends, applied);
    return applied !== undefined;
  }

  /** Undefined where this process does not read. Tables of another release's form are none to be asked. */
  private async readsAnswer(): Promise<boolean | undefined> {
    const { readGenerations } = this.parts;
    if (readGenerations === undefined) return undefined;
    return (await answerOf(readGenerations.live()))?.projectionVersion === projectionVersion;
  }
}

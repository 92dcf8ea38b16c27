import { ownVersion } from '#config';
import { appliedPositions, type Database, type Generations } from '#database';
import { withTimeout } from '#fault';
import type { CommandLog } from '#log';
import { type Alert, type Alerts, ServiceState, type ServiceHealth } from '#observe';
import { projectionVersion } from '#projections';
import type { Component, Components } from './components';
import type { StorageMonitor } from './storage/storage-monitor';
import { waitingCommands } from './waiting-commands';

/** A readiness probe must get an answer even if the database hangs. */
const patienceMs = 2_000;

const answerOf = <T>(work: Promise<T>): Promise<T | undefined> => withTimeout(work, patienceMs).catch(() => undefined);

/** At least one of `filled` and `readGenerations` exists. */
interface LiveStateParts {
  readonly reportedVersion: string;
  readonly product: string;
  /** Undefined if the process has only the component `read`. */
  readonly logId?: string;
  readonly components: Components;
  readonly alerts: Alerts;
  /** Undefined if the process has only the component `read`. */
  readonly filled?: { readonly log: Pick<CommandLog, 'ends'>; readonly db: Database };
  /** These generations have their own connections, so that queries cannot delay a probe. */
  readonly readGenerations?: Generations;
  readonly projects?: () => boolean;
  readonly acceptsCommands?: (databaseUp: boolean) => boolean;
  readonly storage?: Pick<StorageMonitor, 'isLow' | 'storage'>;
}

/** The health of a process depends only on the components that the process has. */
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

  /** Makes the process not ready, while it still answers requests. A stop begins with this step. */
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
   * Returns undefined if this process does not fill tables. If the log does not answer, the queue depth stays
   * unchanged.
   */
  private async filledAnswers(): Promise<boolean | undefined> {
    const { filled } = this.parts;
    if (filled === undefined) return undefined;
    const [ends, applied] = await Promise.all([answerOf(filled.log.ends()), answerOf(appliedPositions(filled.db))]);
    if (ends !== undefined && applied !== undefined) this.queueDepth = waitingCommands(ends, applied);
    return applied !== undefined;
  }

  private async readsAnswer(): Promise<boolean | undefined> {
    const { readGenerations } = this.parts;
    if (readGenerations === undefined) return undefined;
    return (await answerOf(readGenerations.live()))?.projectionVersion === projectionVersion;
  }
}

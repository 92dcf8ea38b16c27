import { appliedPositions, type Database, type Generations } from '#database';
import type { CommandLog } from '#log';
import { type Alert, type Alerts, ServiceState, type ServiceLook } from '#observe';
import { projectionVersion } from '#projections';
import { inTime } from './in-time';
import { waitingCommands } from './waiting-commands';

/** Probes must be answered, also while the database hangs. */
const patienceMs = 2_000;

const answerOf = <T>(work: Promise<T>): Promise<T | undefined> => inTime(work, patienceMs).catch(() => undefined);

/** What this process has of the service, depending on its roles; it has one of `filled` and `readGenerations` at least. */
export interface LiveStateParts {
  readonly reportedVersion: string;
  readonly alerts: Alerts;
  /** The log, and the database in which its records are applied. */
  readonly filled?: { readonly log: Pick<CommandLog, 'ends'>; readonly db: Database };
  /** On connections that queries do not use. */
  readonly readGenerations?: Generations;
  /** Where projecting is all that the process does: whether it does. */
  readonly projects?: () => boolean;
}

/** Looks at what runs. What another process has is not looked at: it counts as well, or as empty. */
export class LiveState extends ServiceState {
  readonly reportedVersion: string;
  private told = false;
  private queueDepth = 0;

  constructor(private readonly parts: LiveStateParts) {
    super();
    this.reportedVersion = parts.reportedVersion;
  }

  get stopping(): boolean {
    return this.told;
  }

  stop(): void {
    this.told = true;
  }

  alerts(): readonly Alert[] {
    return this.parts.alerts.active();
  }

  async look(): Promise<ServiceLook> {
    const [filled, read] = await Promise.all([this.filledAnswers(), this.readsAnswer()]);
    const writeDatabaseUp = filled ?? read === true;
    const readDatabaseUp = read ?? writeDatabaseUp;
    return {
      state: this.stateOf(writeDatabaseUp && readDatabaseUp),
      readDatabaseUp,
      writeDatabaseUp,
      queueDepth: this.queueDepth,
    };
  }

  private stateOf(up: boolean): ServiceLook['state'] {
    if (this.told) return 'stopping';
    if (!up) return 'error';
    return this.parts.projects?.() === false ? 'starting' : 'running';
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

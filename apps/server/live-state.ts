import { setTimeout as delay } from 'node:timers/promises';
import { appliedPositions, type Database, type Generations } from '#database';
import type { CommandLog } from '#log';
import { type Alert, type Alerts, ServiceState, type ServiceLook } from '#observe';
import { projectionVersion } from '#projections';

/** Probes must be answered, also while the database hangs. */
const patienceMs = 2_000;

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const given = new AbortController();
  try {
    return await Promise.race([
      work.catch(() => undefined),
      delay(patienceMs, undefined, { signal: given.signal, ref: false }).catch(() => undefined),
    ]);
  } finally {
    given.abort();
  }
}

/** What this process has of the service, depending on its roles; it has one of `filled` and `readGenerations` at least. */
export interface LiveStateParts {
  readonly reportedVersion: string;
  readonly alerts: Alerts;
  /** The log, and the database in which its records are applied. */
  readonly filled?: { readonly log: CommandLog; readonly db: Database };
  /** On connections that queries do not use. */
  readonly readGenerations?: Generations;
  /** Where projecting is all that the process does: whether it does. */
  readonly projects?: () => boolean;
}

/** Looks at what runs. What another process has is not looked at: it counts as well, or as empty. */
export class LiveState extends ServiceState {
  readonly reportedVersion: string;
  private told = false;

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
    const [queueDepth, read] = await Promise.all([this.queueDepth(), this.readsAnswer()]);
    const writeDatabaseUp = this.parts.filled === undefined ? read === true : queueDepth !== undefined;
    const readDatabaseUp = read ?? writeDatabaseUp;
    return {
      state: this.stateOf(writeDatabaseUp && readDatabaseUp),
      readDatabaseUp,
      writeDatabaseUp,
      queueDepth: queueDepth ?? 0,
    };
  }

  private stateOf(up: boolean): ServiceLook['state'] {
    if (this.told) return 'stopping';
    if (!up) return 'error';
    return this.parts.projects?.() === false ? 'starting' : 'running';
  }

  /** Undefined where the log or the database does not answer, or there is none here. */
  private async queueDepth(): Promise<number | undefined> {
    const { filled } = this.parts;
    if (filled === undefined) return undefined;
    const [ends, applied] = await Promise.all([inTime(filled.log.ends()), inTime(appliedPositions(filled.db))]);
    if (ends === undefined || applied === undefined) return undefined;
    let depth = 0;
    for (const [partition, end] of ends) depth += Math.max(0, end - (applied.get(partition) ?? end));
    return depth;
  }

  /** Undefined where this process does not read. Tables of another release's form are none to be asked. */
  private async readsAnswer(): Promise<boolean | undefined> {
    const { readGenerations } = this.parts;
    if (readGenerations === undefined) return undefined;
    return (await inTime(readGenerations.live(true)))?.projectionVersion === projectionVersion;
  }
}

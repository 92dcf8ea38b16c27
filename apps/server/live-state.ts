import { setTimeout as delay } from 'node:timers/promises';
import { appliedPositions, type Database, type Generations } from '#database';
import type { CommandLog } from '#log';
import { ServiceState, type ServiceLook } from '#observe';

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

export interface LiveStateParts {
  readonly reportedVersion: string;
  readonly writeDb: Database;
  /** Over the read pool. */
  readonly readGenerations: Generations;
  readonly log: CommandLog;
}

/** Looks at what runs. */
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

  async look(): Promise<ServiceLook> {
    const { log, writeDb, readGenerations } = this.parts;
    const [ends, applied, generation] = await Promise.all([
      inTime(log.ends()),
      inTime(appliedPositions(writeDb)),
      inTime(readGenerations.live(true)),
    ]);
    let queueDepth = 0;
    for (const [partition, end] of ends ?? []) queueDepth += Math.max(0, end - (applied?.get(partition) ?? end));
    const writeDatabaseUp = ends !== undefined && applied !== undefined;
    const readDatabaseUp = generation !== undefined;
    const state = this.told ? 'stopping' : writeDatabaseUp && readDatabaseUp ? 'running' : 'error';
    return { state, readDatabaseUp, writeDatabaseUp, queueDepth };
  }
}

import type { Settings } from '#config';
import { Database, Generations, refuseUnfinishedRestore } from '#database';
import type { CommandLog, LogTrouble } from '#log';
import type { Counter } from '#metrics';
import type { Log } from '#observe';
import { expectedLogId, liveGeneration } from './live-generation';
import { logLocation } from './log-location';
import { openCommandLog } from './open-log';
import type { PoolMeters } from './metrics/pool-meters';
import type { ProjectorTask } from './projector-messages';
import { projectorTask } from './projector-task';
import { rebuildOlderTables } from './rebuild-at-start';
import type { Undo } from './undo';

interface FilledOptions {
  readonly settings: Readonly<Settings>;
  readonly connectionString: string;
  /** Whether the process runs the projector. Such a process first rebuilds read tables of an older schema version. */
  readonly fills: boolean;
  /** Called when the log becomes unavailable, and with undefined when the log is available again. */
  readonly onLogTrouble?: (trouble: LogTrouble | undefined) => void;
  readonly pool: PoolMeters;
  readonly replayed: Counter;
  readonly log: Log;
  readonly undo: Undo;
  readonly stopping: AbortSignal;
}

export interface Filled {
  readonly db: Database;
  readonly log: CommandLog;
  /** Undefined if the log is in the database. */
  readonly location: string | undefined;
  readonly task: ProjectorTask;
}

/** Throws the faults of `refuseUnfinishedRestore`, `openCommandLog`, `CommandLog.open` and `liveGeneration`. */
export async function openFilled(options: FilledOptions): Promise<Filled> {
  const { settings, connectionString, fills, undo, stopping } = options;
  const db = new Database({
    connectionString,
    max: settings.writePoolSize,
    applicationName: 'nodeledger write',
    watch: options.pool,
  });
  options.pool.attach(db);
  undo.add('the write pool', () => db.close());
  await refuseUnfinishedRestore(db);
  const generations = new Generations(db);
  const source = await logLocation(settings);
  const log = await openCommandLog(settings, db, {
    serves: true,
    expectedLogId: await expectedLogId(db, generations),
    onNotice: (text) => options.log.warn(text),
    onTrouble: (trouble) => options.onLogTrouble?.(trouble),
  });
  undo.add('the log', () => log.close());
  const identity = await log.open();
  stopping.throwIfAborted();
  const topic = source.kafka?.topic;
  const task = projectorTask(settings, connectionString, source, identity);
  const rebuildOlder = (): Promise<void> =>
    rebuildOlderTables(log, task, options.log, stopping, options.replayed, settings.projectorThreads);
  const remake = fills ? rebuildOlder : undefined;
  await liveGeneration(db, generations, { log, identity, topic }, task, remake);
  const location =
    source.kafka === undefined ? undefined : `topic ${source.kafka.topic} on ${source.kafka.brokers.join(', ')}`;
  return { db, log, location, task };
}

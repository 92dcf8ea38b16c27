import { type Command } from 'commander';
import { AuditLog } from '#access';
import { readSettings, type Settings } from '#config';
import { isRetriable, positionsOf } from '#database';
import { Fault, isFault, withTimeout } from '#fault';
import { type CommandLog, embeddedLogId, type LogIdentity } from '#log';
import type { ReplayContext } from '#projections';
import { tuneGarbageCollection } from '../../server/garbage-collection';
import { type LogLocation, logLocation } from '../../server/log-location';
import { openCommandLog } from '../../server/open-log';
import { replaySettings } from '../../server/own-replay';
import { projectorTask } from '../../server/projector-task';
import { ThreadedReplays } from '../../server/threaded-replays';
import { byUser } from '../by-user';
import { openStore, type Store } from '../open-store';
import { isStop, stoppable } from './interruption';

export interface MaintenanceWork {
  readonly settings: Readonly<Settings>;
  readonly store: Store;
  readonly context: ReplayContext;
  readonly identity: LogIdentity;
  readonly logName: string;
  readonly say: (text: string) => void;
}

interface MaintenanceOptions {
  /** Printed after a stop. The text says what the verb has already done, and how to continue. */
  readonly afterStop: string;
  /**
   * True if the verb may write to the Kafka brokers in the settings instead of reading from them. If the read tables
   * were made from the embedded log, the verb then reads the embedded log, although the settings name brokers.
   */
  readonly brokersAreTarget?: boolean;
  /** Absent if the verb changes nothing. */
  readonly audited?: string;
}

const lostMs = 3_000;

/** All unknown words after the verb are read as settings of the service, as for `start`. */
export const withSettings = (command: Command): Command =>
  command
    .argument('[settings...]', 'flags with which the service is started, such as --data-dir ./data')
    .allowUnknownOption();

/**
 * Opens the database and the log in the settings, and calls `work`. If the user stops the work with Ctrl-C, prints
 * `afterStop`, sets the exit code to 130, and returns undefined.
 */
export async function runMaintenance<T>(
  flags: readonly string[],
  { afterStop, brokersAreTarget = false, audited }: MaintenanceOptions,
  work: (task: MaintenanceWork) => Promise<T>,
): Promise<T | undefined> {
  const { settings } = readSettings(flags);
  tuneGarbageCollection();
  let started = false;
  const goOn = (): string => (started ? afterStop : 'Nothing was changed.');
  return stoppable(goOn, async ({ interruption, display }) => {
    const { say } = display;
    const { signal } = interruption;
    const closers: (() => Promise<void>)[] = [];
    let lost: Promise<true> | undefined;
    try {
      const store = await openStore(settings, say);
      closers.push(() => store.close());
      lost = store.ended.then(() => true);
      void lost.then(() => interruption.abort());
      signal.throwIfAborted();
      const { log, location, logName } = await openLog(settings, store, brokersAreTarget, say);
      closers.push(() => log.close());
      const identity = await log.open();
      signal.throwIfAborted();
      const task = projectorTask(settings, store.connectionString, location, identity);
      const context: ReplayContext = {
        db: store.db,
        log,
        logId: identity.logId,
        ...replaySettings(task),
        threads: new ThreadedReplays(task, settings.projectorThreads),
        signal,
        onProgress: display.show,
        onNotice: say,
      };
      started = true;
      const run = (): Promise<T> => work({ settings, store, context, identity, logName, say });
      return await (audited === undefined ? run() : new AuditLog(store.db).record(byUser(audited), run));
    } catch (error) {
      if (lost === undefined || !(await isLost(error, lost))) throw error;
      throw new Fault('broken', 'cli.database-ended', 'the service that runs this PostgreSQL has stopped it', {
        hint: goOn(),
        cause: error,
      });
    } finally {
      display.end();
      for (const close of closers.reverse()) await close().catch((error: unknown) => say(String(error)));
    }
  });
}

/**
 * Returns whether PostgreSQL has ended. If the error comes from the database, first waits a while, because a server
 * that shuts down cancels statements some time before it ends.
 */
async function isLost(error: unknown, lost: Promise<true>): Promise<boolean> {
  const breaks = !isStop(error) && (isRetriable(error) || (isFault(error) && error.code.startsWith('database.')));
  return (await withTimeout(lost, breaks ? lostMs : 0)) === true;
}

async function openLog(
  settings: Readonly<Settings>,
  { db, live }: Store,
  brokersAreTarget: boolean,
  say: (text: string) => void,
): Promise<{ log: CommandLog; location: LogLocation; logName: string }> {
  const [position] = (await positionsOf(db, live.generation)).values();
  const expectedLogId = position?.logId;
  const isEmbedded = expectedLogId !== undefined && (await embeddedLogId(db)) === expectedLogId;
  const used: Settings = { ...settings };
  if (brokersAreTarget && isEmbedded) delete used.kafkaBrokers;
  const { kafkaBrokers, logTopic } = used;
  return {
    log: await openCommandLog(used, db, { expectedLogId, onNotice: say }),
    location: await logLocation(used),
    logName: kafkaBrokers === undefined ? 'embedded' : `Kafka topic ${logTopic} on ${kafkaBrokers.join(', ')}`,
  };
}

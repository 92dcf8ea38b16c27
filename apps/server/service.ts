/**
 * The start sequence, one screen: database, control tables, log, read tables, HTTP, projector. What fails on the way is
 * undone, so that nothing is left running.
 */
import { join, resolve } from 'node:path';
import { CleanHandler } from '#admin';
import { Completions, IntakeLimits } from '#commands';
import type { Settings } from '#config';
import { Database, Generations, migrateControlTables } from '#database';
import { openHttp, type HttpServer } from '#http';
import { EmbeddedCommandLog } from '#log';
import { NestLogger, type Log } from '#observe';
import { DiscardedFiles } from '#projections';
import { ageLimits } from './age-limits';
import { listenFault } from './listen-fault';
import { liveGeneration } from './live-generation';
import { LiveState } from './live-state';
import { openDatabase } from './open-database';
import { PeriodicClean } from './periodic-clean';
import { ProjectorThread } from './projector-thread';
import { queryOptions } from './query-options';
import { ServerModule } from './server.module';
import { Undo } from './undo';

/** The old body form carries the payload in a map: room for the map around it. */
const bodyAllowance = 64 * 1_024;

export class Service {
  private constructor(
    /** http://127.0.0.1:8080 */
    readonly url: string,
    /** For people. */
    readonly dataLocation: string,
    /** Commands in the log that were not applied when the service came up. */
    readonly queueDepth: number,
    private readonly databaseEnded: Promise<void>,
    private readonly undo: Undo,
  ) {}

  /** Faults say what stands in the way and what to do. Rejects, with everything undone, also where `stopping` aborts. */
  static async start(settings: Readonly<Settings>, log: Log, stopping: AbortSignal): Promise<Service> {
    const undo = new Undo((name, err) => log.error({ err }, `${name} could not be closed cleanly`));
    const step = async <T>(name: string, opening: Promise<T>, close: (opened: T) => Promise<void>): Promise<T> => {
      const opened = await opening;
      undo.add(name, () => close(opened));
      stopping.throwIfAborted();
      return opened;
    };
    try {
      const database = await step('the database', openDatabase(settings, log), (opened) => opened.close());
      const { connectionString } = database;
      await migrateControlTables(connectionString);
      const { writePoolSize, readPoolSize, queryTimeout } = settings;
      const writeDb = new Database({ connectionString, max: writePoolSize, applicationName: 'nodeledger write' });
      undo.add('the write pool', () => writeDb.close());
      const readDb = new Database({
        connectionString,
        max: readPoolSize,
        applicationName: 'nodeledger read',
        statementTimeoutMs: queryTimeout,
        readOnly: true,
      });
      undo.add('the read pool', () => readDb.close());

      // Nothing reads the log in this thread, so that nothing needs to be kept for it.
      const commandLog = new EmbeddedCommandLog(writeDb, { partitions: settings.logPartitions, cacheBytes: 0 });
      const identity = await step('the log', commandLog.open(), () => commandLog.close());
      await liveGeneration(writeDb, new Generations(writeDb), commandLog, identity);
      const limits = new IntakeLimits(settings.maxCommandSize, settings.rejectLargeCommands);
      const task = {
        connectionString,
        logPartitions: identity.partitions,
        maxCommandBytes: limits.maxPayloadBytes,
        factsBlocklist: settings.factsBlocklist ?? [],
      };
      const projector = new ProjectorThread(task, log);
      undo.add('the projector', () => projector.stop());
      projector.start();

      const discarded = new DiscardedFiles({
        db: writeDb,
        folder: join(resolve(settings.dataDir), 'discarded'),
        onFailure: (err) => log.error({ err }, 'files of rejected commands could not be written'),
      });
      undo.add('the files of rejected commands', () => discarded.close());
      await discarded.open();

      const completions = new Completions(writeDb);
      await completions.open();
      const state = new LiveState({
        reportedVersion: settings.reportedVersion,
        writeDb,
        readGenerations: new Generations(readDb),
        log: commandLog,
      });
      const module = ServerModule.register({
        commands: { log: commandLog, completions, limits },
        queries: queryOptions(settings, readDb, log),
        admin: {
          database: writeDb,
          generations: new Generations(writeDb),
          log: commandLog,
          completions,
          limits: ageLimits(settings),
        },
        state,
      });
      const opening = openHttp(module, {
        listeners: [{ host: settings.host, port: settings.port }],
        maxBodyBytes: limits.maxPayloadBytes + bodyAllowance,
        logger: new NestLogger(log),
        report: (err, { method, url }) => log.error({ err, method, path: url.split('?', 1)[0] }, 'a request failed'),
      }).catch((error: unknown) => {
        throw listenFault(error, settings);
      });
      const http = await step('HTTP', opening, async (server: HttpServer) => {
        state.stop();
        // Those who wait for completion are told now, or they would hold up the stop.
        await completions.close();
        await server.close();
      });
      if (settings.gcInterval > 0) {
        const cleaning = new PeriodicClean(http.app.get(CleanHandler, { strict: false }), settings.gcInterval, log);
        undo.add('periodic maintenance', () => cleaning.stop());
        cleaning.start();
      }
      const { queueDepth } = await state.look();
      return new Service(http.urls[0] ?? '', database.location, queueDepth, database.ended, undo);
    } catch (error) {
      await undo.run();
      throw error;
    }
  }

  /** Resolves to why the service is to end: it was asked to, or its own PostgreSQL has ended by itself. */
  async running(stopping: AbortSignal): Promise<'stopped' | 'database-ended'> {
    const asked = new Promise<'stopped'>((resolve) => {
      if (stopping.aborted) resolve('stopped');
      else stopping.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    return Promise.race([asked, this.databaseEnded.then(() => 'database-ended' as const)]);
  }

  /** Requests under way are answered, what is accepted becomes durable, the projector finishes its batch. */
  stop(): Promise<void> {
    return this.undo.run();
  }
}

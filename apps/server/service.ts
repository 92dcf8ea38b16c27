import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Gate, type Role } from '#access';
import { CleanHandler } from '#admin';
import { Webhooks } from '#changes';
import { IntakeLimits } from '#commands';
import { ownVersion, type ReadSettings, type Settings } from '#config';
import { migrateControlTables } from '#database';
import { Fault } from '#fault';
import { type BodyLimit, identityFields, openHttp, type HttpServer } from '#http';
import type { LogTrouble } from '#log';
import { Alerts, NestLogger, type Log, ServedPaths } from '#observe';
import { commonName } from '#tls';
import { queryRoot, queryRouteName } from '#query';
import { checkPorts } from './check-ports';
import { ClockMonitor } from './clock-monitor';
import { FileMonitor } from './file-monitor';
import { listenFault } from './listen-fault';
import { clientUrl, listeners } from './listeners';
import { LiveState } from './live-state';
import { ServiceMetrics } from './metrics/service-metrics';
import { openAccess } from './open-access';
import { openChanges } from './open-changes';
import { openDatabase } from './open-database';
import { openFilled, type Filled } from './open-filled';
import { openRead } from './open-read';
import { openTls } from './open-tls';
import { openTraces } from './open-traces';
import { openWebhooks } from './open-webhooks';
import { openWrite } from './open-write';
import { Operation } from './operation/operation-report';
import { Works } from './operation/work/works';
import { Outages } from './outages';
import { periodicClean } from './periodic-clean';
import { PeriodicSnapshot } from './periodic-snapshot';
import { projectionMonitor } from './projection-monitor';
import { defaultProjectorThreads, ProjectorThreads } from './projector-threads';
import { queryOptions } from './query-options';
import { RefusedConnections } from './refused-connections';
import type { RepeatedTask } from './repeated-task';
import { allComponents, isPart, type Components } from './components';
import { ServerModule } from './server.module';
import { ThreadedExports } from './threaded-exports';
import { FittedAges } from './storage/fitted-ages';
import { limitedLogSize } from './storage/read-storage';
import { StorageMonitor } from './storage/storage-monitor';
import { Undo } from './undo';
import { watchCommands } from './watch-commands';

/** A body in the old form of commands is a map that contains the payload, so the body is larger than the payload. */
const bodyAllowance = 64 * 1_024;

const consoleFolder = join(__dirname, '../console');

/** Path of the route that imports archives. Its body has no size limit. */
const importPath = '/pdb/admin/v1/archive';

const commandPaths = ['/pdb/cmd/v1', '/nodeledger/v1/agent-reports'];

const noSource = { origins: [], source: { flags: [], environment: {} } };

export interface ServiceFacts {
  /** For a client on this machine: the HTTP URL if HTTP is enabled, otherwise the HTTPS URL. */
  readonly url: string;
  readonly urls: readonly string[];
  /** A client that uses `url` without a token. Over HTTPS, this client sends the certificate of the service. */
  readonly localClient: { readonly certname: string | undefined; readonly roles: ReadonlySet<Role> };
  readonly dataLocation: string;
  /** Undefined if the log is in the database, or if this process does not read the log. */
  readonly logLocation: string | undefined;
  readonly queueDepth: number;
}

export class Service {
  private constructor(
    readonly facts: ServiceFacts,
    private readonly databaseEnded: Promise<void>,
    private readonly undo: Undo,
  ) {}

  /**
   * If a step fails or `stopping` aborts, closes everything and rejects. The service shows `origins` to operators.
   * `source` contains the settings for maintenance that an operator starts in the console.
   */
  static async start(
    settings: Readonly<Settings>,
    log: Log,
    stopping: AbortSignal,
    components: Components = allComponents,
    printLine: (line: string) => void = () => undefined,
    { origins, source }: Pick<ReadSettings, 'origins' | 'source'> = noSource,
  ): Promise<Service> {
    const undo = new Undo((name, err) => log.error({ err }, `${name} could not be closed cleanly`));
    const step = async <T>(name: string, opening: Promise<T>, close: (opened: T) => Promise<void>): Promise<T> => {
      const opened = await opening;
      undo.add(name, () => close(opened));
      stopping.throwIfAborted();
      return opened;
    };
    const start = (name: string, task: Pick<RepeatedTask, 'start' | 'stop'>): void => {
      undo.add(name, () => task.stop());
      task.start();
    };
    const alerts = new Alerts(log);
    undo.add('the alerts', async () => alerts.close());
    try {
      const files = new FileMonitor({ alerts, log, onHangup: process.stdin.isTTY !== true });
      undo.add('the watch over files', () => files.stop());
      const metrics = new ServiceMetrics(settings);
      const { meters } = metrics;
      const tracing = await step('the traces', openTraces(log, alerts), (opened) => opened.close());
      if (isPart(components)) requireSharedDatabase(settings);
      const tls = await openTls(settings, { files, alerts, log, undo });
      await checkPorts(listeners(settings, tls), settings);
      const database = await step('the database', openDatabase(settings, log, printLine), (opened) => opened.close());
      const { connectionString } = database;
      await migrateControlTables(connectionString);
      const limits = new IntakeLimits(settings.limits.commandBytes, settings.limits);

      const fills = components.has('project');
      // If the log becomes unavailable before `outages` exists, `watch` keeps the trouble for `outages`.
      const watch: { outages?: Outages; trouble?: LogTrouble | undefined } = {};
      const onLogTrouble = (trouble: LogTrouble | undefined): void => {
        watch.trouble = trouble;
        watch.outages?.logTrouble(trouble);
      };
      const filled =
        components.has('write') || fills
          ? await openFilled({
              settings,
              connectionString,
              fills,
              pool: meters.writePool,
              replayed: meters.replayed.of('rebuild'),
              log,
              undo,
              stopping,
              onLogTrouble,
            })
          : undefined;
      const outages = openOutages(alerts, connectionString, components, filled);
      watch.outages = outages;
      outages.logTrouble(watch.trouble);
      undo.add('the watch over what may be down', () => outages.close());
      const projector =
        filled !== undefined && fills
          ? new ProjectorThreads({
              count: settings.projectorThreads ?? defaultProjectorThreads(),
              task: filled.task,
              log,
              alerts,
              outages,
              meters,
              tracing,
            })
          : undefined;
      if (projector !== undefined) start('the projectors', projector);
      const clocks = filled === undefined ? undefined : new ClockMonitor(filled.db, alerts);
      if (clocks !== undefined) undo.add('the watch over the clocks', async () => clocks.close());
      const storage =
        filled === undefined ? undefined : new StorageMonitor({ settings, db: filled.db, log: filled.log, alerts });
      if (storage !== undefined) undo.add('the watch over the disk', () => storage.close());
      const isDefault = (key: string): boolean =>
        origins.some(({ entry, from }) => entry.key === key && from === 'default');
      const ages = filled && new FittedAges(filled.db, settings, alerts, isDefault);
      const write =
        filled !== undefined &&
        ages !== undefined &&
        clocks !== undefined &&
        storage !== undefined &&
        components.has('write')
          ? await openWrite(settings, filled, {
              limits,
              clocks: clocks.guard,
              storage,
              log,
              watch: watchCommands(log, meters),
              cleanings: meters.cleanings,
              ages: ages.limits,
            })
          : undefined;
      const exports =
        filled !== undefined && write !== undefined ? new ThreadedExports(filled.task, settings.dialect) : undefined;
      const read = components.has('read')
        ? await openRead(settings, connectionString, undo, meters.readPool)
        : undefined;

      const hooks =
        components.has('write') || fills
          ? await openWebhooks(settings, connectionString, { delivers: fills, undo })
          : undefined;
      const webhooks =
        hooks !== undefined && fills
          ? new Webhooks({
              parts: { ...hooks, observer: meters.webhooks, giveUpMs: settings.webhookGiveUp },
              alerts,
              onFailure: (err) => {
                if (outages.report(err) === undefined) log.error({ err }, 'changes cannot be delivered');
              },
            })
          : undefined;
      if (webhooks !== undefined) start('the deliveries of changes', webhooks);
      const queries = read === undefined ? undefined : queryOptions(settings, read, log, meters.queries);
      const streaming =
        queries === undefined
          ? undefined
          : await openChanges(settings, { connectionString, meters: meters.streams, outages, log, undo });

      const state = new LiveState({
        reportedVersion: settings.reportedVersion,
        product: settings.dialect === 'puppetdb' ? 'puppetdb' : 'nodeledger',
        components,
        alerts,
        acceptsCommands: (databaseUp) => outages.acceptsCommands(databaseUp),
        ...(filled === undefined ? {} : { filled, logId: filled.task.logId }),
        ...(storage === undefined ? {} : { storage }),
        ...(read === undefined ? {} : { readGenerations: read.generations }),
        ...(projector === undefined ? {} : { projects: () => projector.running }),
      });
      const works = new Works({ settings, source, refusal: () => storage?.refusal() });
      undo.add('the maintenance that operators have started', () => works.close());
      const access = await openAccess(settings, {
        connectionString,
        files,
        outages,
        onFailure: (err) => log.error({ err }, 'tokens cannot be read'),
        undo,
      });
      const opened: { http?: HttpServer } = {};
      undo.add('the metrics', () => metrics.close());
      const module = ServerModule.register({
        state,
        api: {
          version: ownVersion(),
          edition: settings.edition,
          dialect: settings.dialect,
          strict: settings.strictQueries,
          limits: settings.limits,
        },
        metrics: metrics.open(connectionString, filled?.log, components, {
          heldBodyBytes: () => opened.http?.heldBodyBytes ?? 0,
          queries: () => read?.permits.use,
          streams: () => streaming?.streams.count,
          projectorRuns: () => projector?.running,
          storage: async () => storage?.storage(),
          alerts: () => alerts.active().map(({ code }) => code),
          webhookLags: () => webhooks?.lags(),
        }),
        ...(write === undefined || filled === undefined
          ? {}
          : {
              write: {
                ...write,
                operation: {
                  operation: new Operation({ filled, look: () => state.look(), alerts: () => alerts.active() }),
                  origins,
                  works,
                  database: filled.db,
                },
              },
            }),
        ...(exports === undefined || filled === undefined ? {} : { exports: { database: filled.db, exports } }),
        ...(hooks === undefined || !components.has('write') ? {} : { webhooks: hooks }),
        ...(queries === undefined || streaming === undefined
          ? {}
          : {
              queries,
              changes: { queries, live: streaming },
              console: { folder: consoleFolder, access },
            }),
      });
      const served = new ServedPaths(components);
      const gate = new Gate({ access, allowedHosts: settings.allowedHosts ?? [] });
      const refusals = new RefusedConnections(log);
      const opening = openHttp(module, {
        listeners: listeners(settings, tls),
        refused: (reason, address) => refusals.add(reason, address),
        maxBodyBytes: limits.maxPayloadBytes + bodyAllowance,
        bodyLimits: bodyLimits(settings),
        streamedBodies: [importPath],
        limits: settings.limits,
        trustedProxies: settings.trustedProxies ?? [],
        authorize: (request) => gate.check(request),
        acceptsTokens: settings.authorization !== undefined,
        logger: new NestLogger(log),
        tracing,
        nameRoute: queryRouteName,
        onAnswer: (answer) => meters.http.answered(answer),
        report: (err, { method, route, identity }) =>
          log.error({ ...identityFields(identity), err, method, route }, 'a request failed'),
        // The alert reports an outage, so the errors that it causes are not logged for each request.
        explain: (error) => outages.report(error),
        hintFor: (path) => served.hintFor(path),
      }).catch((error: unknown) => {
        throw listenFault(error, settings);
      });
      const http = await step('HTTP', opening, async (server: HttpServer) => {
        state.stop();
        // The ports stay open for a while, so that load balancers that check readiness stop sending requests first.
        await delay(settings.drainDelay);
        // Ends the requests that wait for a result. Otherwise `server.close` would wait until they are answered.
        read?.permits.close();
        if (write !== undefined) server.app.get(CleanHandler, { strict: false }).stop();
        await Promise.all([write?.commands.completions.close(), read?.waits.close(), exports?.close()]);
        await server.close();
      });
      opened.http = http;
      if (filled !== undefined && write !== undefined && settings.gcInterval > 0) {
        const handler = http.app.get(CleanHandler, { strict: false });
        const reports = { log, alerts, outages };
        const cleaning = periodicClean(handler, write.admin.generations, settings.gcInterval, reports, ages);
        start('periodic maintenance', cleaning);
      }
      if (filled !== undefined && storage !== undefined && fills && settings.snapshotInterval > 0) {
        const { snapshotInterval, logHistory } = settings;
        const task = { ...filled.task, historyMs: logHistory };
        const replayed = meters.replayed.of('snapshot');
        const reports = { log, alerts, outages };
        const size = limitedLogSize(settings, filled.db);
        const snapshots = new PeriodicSnapshot(filled.db, task, snapshotInterval, reports, replayed, size);
        undo.add('periodic snapshots', () => {
          storage.snapshots = undefined;
          return snapshots.stop();
        });
        snapshots.start();
        storage.snapshots = snapshots;
      }
      if (filled !== undefined) {
        const { log: records, db } = filled;
        start('the watch over the projection', projectionMonitor({ log: records, db, alerts, outages }));
      }
      // Ends streams early, so that their clients connect to another process before the other steps of the stop begin.
      if (streaming !== undefined) undo.add('the streams of changes', () => streaming.streams.close());
      // Steps run in reverse order, so this step runs first. Load balancers then send no more clients while the other
      // parts close.
      undo.add('readiness', async () => state.drain());
      const { queueDepth } = await state.look();
      const { urls } = http;
      const url = clientUrl(urls, tls?.material);
      const certname = url.startsWith('https:') && tls !== undefined ? commonName(tls.material.certificate) : undefined;
      const facts = {
        url,
        urls,
        localClient: { certname, roles: access.rolesOf(certname) },
        dataLocation: database.location,
        logLocation: filled?.location,
        queueDepth,
      };
      return new Service(facts, database.ended, undo);
    } catch (error) {
      await undo.run();
      throw error;
    }
  }

  async running(stopping: AbortSignal): Promise<'stopped' | 'database-ended'> {
    const stopRequested = new Promise<'stopped'>((resolve) => {
      if (stopping.aborted) resolve('stopped');
      else stopping.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    return Promise.race([stopRequested, this.databaseEnded.then(() => 'database-ended' as const)]);
  }

  /** Answers current requests, finishes the projectors' batches, and then closes everything. */
  stop(): Promise<void> {
    return this.undo.run();
  }
}

function requireSharedDatabase({ databaseUrl }: Readonly<Settings>): void {
  if (databaseUrl !== undefined) return;
  throw new Fault(
    'malformed',
    'server.shared-database',
    'a process with only some of the components needs DATABASE_URL: it cannot share a PostgreSQL of its own with the others',
    {
      hint: 'Set DATABASE_URL to the PostgreSQL that all of them use, or start the whole service in one process: npm start.',
    },
  );
}

function openOutages(
  alerts: Alerts,
  connectionString: string,
  components: Components,
  filled: Filled | undefined,
): Outages {
  const kafka = filled?.task.log.kafka;
  if (filled === undefined || kafka === undefined) return new Outages({ alerts, connectionString, components });
  const { brokers, topic } = kafka;
  const { partitions } = filled.task.log;
  const probe = (): Promise<unknown> => filled.log.ends();
  return new Outages({ alerts, connectionString, components, kafka: { brokers, topic, partitions, probe } });
}

function bodyLimits({ limits }: Readonly<Settings>): readonly BodyLimit[] {
  const maxBytes = limits.commandBytes + bodyAllowance;
  return [
    { under: queryRoot, maxBytes: limits.queryBodyBytes, limit: 'queryBodyBytes' },
    ...['/nodeledger/v1/session', '/nodeledger/v1/query-check', '/nodeledger/v1/operation'].map((under): BodyLimit => ({
      under,
      maxBytes: limits.consoleBodyBytes,
      limit: 'consoleBodyBytes',
    })),
    { under: '/metrics', maxBytes: limits.metricsBodyBytes, limit: 'metricsBodyBytes' },
    ...commandPaths.map((under): BodyLimit => ({ under, maxBytes, limit: 'commandBytes' })),
  ];
}

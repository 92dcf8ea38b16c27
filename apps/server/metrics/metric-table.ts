/** The table of metrics: `/metrics` and the MBeans take names, types and texts from it. docs/monitoring.md shows it. */
import type { CleaningStep } from '#admin';
import type { MeterSet, Timer } from '#metrics';
import type { Storage } from '#observe';
import type { MetricFamily, Sample } from '#openmetrics';
import type { Population, WaitingLetters } from '#projections';
import type { CleaningMeters } from './cleaning-meters';
import type { CommandMeters } from './command-meters';
import { histogramSample, type Meters, type Metric, metric, only, sampled } from './metric';
import type { ServiceMeters } from './service-meters';
import type { StepMeters } from './step-meters';
import type { StoredFigures } from './stored-figures';
import type { ThreadMeters } from './thread-meters';
import type { ThreadFigures } from './thread-probe';

/** Figures that are read when a client requests them. Undefined if this process does not have them. */
export interface LiveFigures {
  readonly heldBodyBytes: () => number;
  readonly queries: () => { readonly running: number; readonly waiting: number; readonly total: number } | undefined;
  readonly projectorRuns: () => boolean | undefined;
  /** The codes of the active alerts. */
  readonly alerts: () => readonly string[];
  readonly storage: () => Promise<Storage | undefined>;
}

export interface MetricParts {
  readonly meters: ServiceMeters;
  readonly stored: StoredFigures;
  readonly threads: readonly ThreadMeters[];
  readonly live: LiveFigures;
  readonly build: { readonly version: string; readonly reportedVersion: string; readonly components: string };
}

const milli = 1 / 1_000;
const value = (number: number, ...labels: string[]): Sample => ({ labels, value: number });
const present = <T>(found: T | undefined, samples: (found: T) => Sample[]): Sample[] =>
  found === undefined ? [] : samples(found);

/** Returns the families of `/metrics`. */
export const familiesOf = (table: readonly Metric[]): readonly MetricFamily[] =>
  table.flatMap(({ family }) => family ?? []);

export function metricTable({ meters, stored, threads, live, build }: MetricParts): readonly Metric[] {
  const { http, queries, cleanings, steps, newCatalogs, duplicateCatalogs } = meters;
  return [
    sampled(
      'nodeledger_build',
      'info',
      'The program and the components of this process.',
      ['version', 'reported_version', 'components', 'node_version'],
      () => [value(1, build.version, build.reportedVersion, build.components, process.version)],
    ),
    labelled('timer', 'http_request_duration_seconds', 'Time of requests, by route.', http.times),
    labelled('meter', 'http_responses', 'Answers, by route and status.', http.answers),
    labelled('counter', 'http_errors', 'Answers that are errors, by route and code (docs/errors.md).', http.errors),
    metric('timer', {
      bean: 'http:{path}.service-time',
      help: 'Time of requests at the path and below it.',
      meters: () => http.timesBelow.all(),
    }),
    metric('meter', {
      bean: 'http:{path}.{status}',
      help: 'Answers with the status at the path and below it.',
      meters: () => http.answersBelow.all(),
    }),
    metric('gauge', {
      name: 'nodeledger_http_held_body_bytes',
      help: 'Bytes of request bodies in memory.',
      meters: only(live.heldBodyBytes),
    }),
    ...commandMetrics(meters),
    labelled(
      'timer',
      'batch_step_duration_seconds',
      'Time that a batch of the projector takes for a step, for all its commands together.',
      steps.steps,
    ),
    ...stepMetrics(steps),
    sampled(
      'nodeledger_catalogs_stored',
      'counter',
      'Catalogs that were projected, by whether their content was stored already.',
      ['content'],
      () => [value(newCatalogs.count, 'new'), value(duplicateCatalogs.count, 'unchanged')],
    ),
    metric('counter', {
      bean: 'storage:new-catalogs',
      help: 'Catalogs whose content was stored.',
      meters: only(newCatalogs),
    }),
    metric('counter', {
      bean: 'storage:duplicate-catalogs',
      help: 'Catalogs whose content was stored already.',
      meters: only(duplicateCatalogs),
    }),
    metric('gauge', {
      bean: 'storage:duplicate-pct',
      help: 'Part of the catalogs that were duplicates, from 0 to 1.',
      meters: only(() => {
        const all = newCatalogs.count + duplicateCatalogs.count;
        return all === 0 ? 0 : duplicateCatalogs.count / all;
      }),
    }),
    sampled(
      'nodeledger_lag_records',
      'gauge',
      'Records of the log that are not applied yet, by partition.',
      ['partition'],
      async () =>
        present(await stored.lag(), (lags) => [...lags].map(([partition, lag]) => value(lag, String(partition)))),
    ),
    metric('counter', {
      bean: 'mq:global.depth',
      help: 'Commands in the log that are not applied yet.',
      meters: only(
        later(async () => {
          const lags = await stored.lag();
          return lags && [...lags.values()].reduce((sum, lag) => sum + lag, 0);
        }),
      ),
    }),
    metric('gauge', {
      name: 'nodeledger_projector_running',
      help: '1 while the projector of this process runs.',
      meters: only(() => {
        const runs = live.projectorRuns();
        return runs === undefined ? null : Number(runs);
      }),
    }),
    ...letterMetrics(stored),
    sampled(
      'nodeledger_rebuild_records',
      'gauge',
      'Records of the log that a rebuild has applied (done), and that it has to apply in all (total).',
      ['state'],
      async () => present(await stored.rebuild(), ({ done, total }) => [value(done, 'done'), value(total, 'total')]),
    ),
    labelled(
      'counter',
      'replayed_records',
      'Records that a rebuild at the start, or periodic snapshots, have applied in this process.',
      meters.replayed,
    ),
    metric('timer', {
      name: 'nodeledger_cleaning_duration_seconds',
      help: 'Time of completed cleanings, periodic and on request.',
      meters: only(cleanings.whole),
    }),
    labelled('timer', 'cleaning_step_duration_seconds', 'Time of the steps of cleanings.', cleanings.steps),
    ...cleaningMetrics(cleanings),
    ...storageMetrics(live),
    ...populationMetrics(stored),
    labelled(
      'timer',
      'query_duration_seconds',
      'Time of queries until their last row or their failure, by route.',
      queries.times,
    ),
    labelled('counter', 'query_rows', 'Rows that queries answered, by route.', queries.rows),
    labelled('counter', 'query_failures', 'Queries that failed, by code (docs/errors.md).', queries.failures),
    sampled(
      'nodeledger_query_places',
      'gauge',
      'Queries that run, that wait, and that may run at once (total).',
      ['state'],
      () => present(live.queries(), (found) => byKey(found, 1)),
    ),
    ...poolMetrics(meters),
    sampled('nodeledger_alert', 'gauge', '1 while an alert is active, by code (docs/reliability.md).', ['code'], () =>
      live.alerts().map((code) => value(1, code)),
    ),
    ...threadMetrics(threads),
    metric('gauge', {
      name: 'process_resident_memory_bytes',
      help: 'Memory of the process, with all its threads.',
      meters: only(() => process.memoryUsage.rss()),
    }),
    sampled('process_cpu_seconds', 'counter', 'Processor time of all threads.', [], () => {
      const { user, system } = process.cpuUsage();
      return [value((user + system) / 1e6)];
    }),
    metric('gauge', {
      name: 'process_start_time_seconds',
      help: 'When the process began, as Unix time.',
      meters: only(() => performance.timeOrigin * milli),
    }),
  ];
}

/** Makes a metric without MBeans from a set of meters, with the labels of the set. */
const labelled = <Kind extends keyof Meters>(
  kind: Kind,
  name: string,
  help: string,
  set: MeterSet<Meters[Kind] & object>,
) => metric(kind, { name: `nodeledger_${name}`, help, labels: set.labels, meters: () => set.all() });

/** Makes a counter whose value is read when a client requests it: null if it is unknown. */
const later = (read: () => Promise<number | undefined>): Meters['counter'] => ({
  get count() {
    return read().then((found) => found ?? null);
  },
});

const byKey = (values: object, scale: number, ...labels: string[]): Sample[] =>
  Object.entries(values).map(([key, number]: [string, number]) => value(number * scale, ...labels, key));

/** Each of these exists for each command and version, and as an MBean for all commands together. */
function commandMetrics({ commands, allCommands }: ServiceMeters): Metric[] {
  const each = <Kind extends keyof Meters>(
    kind: Kind,
    bean: string,
    name: string | undefined,
    help: string,
    meterOf: (meters: CommandMeters) => Meters[Kind],
    more: { readonly falls?: true; readonly shown?: (meter: Meters[Kind]) => Meters[Kind] } = {},
  ): Metric[] => [
    metric(kind, {
      ...(name !== undefined && { name: `nodeledger_${name}` }),
      labels: ['command', 'version'],
      bean: `mq:{command}.{version}.${bean}`,
      help,
      ...more,
      meters: () => commands.all().map(({ labels, meter }) => ({ labels, meter: meterOf(meter) })),
    }),
    metric(kind, { bean: `mq:global.${bean}`, help, ...more, meters: only(meterOf(allCommands)) }),
  ];
  return [
    ...each(
      'timer',
      'message-persistence-time',
      'command_append_duration_seconds',
      'Time until the record of an accepted command is durable.',
      ({ appendTime }) => appendTime,
    ),
    ...each('histogram', 'size', 'command_payload_bytes', 'Bytes of payloads as they came.', ({ size }) => size),
    ...each(
      'counter',
      'concurrent-depth',
      'commands_appending',
      'Commands that wait to become durable.',
      ({ appending }) => appending,
      { falls: true },
    ),
    ...each('meter', 'seen', undefined, 'Commands taken from the log.', ({ seen }) => seen),
    ...each(
      'meter',
      'processed',
      'commands_projected',
      'Commands that were applied to the tables.',
      ({ processed }) => processed,
    ),
    ...each('meter', 'fatal', 'commands_rejected', 'Commands that became dead letters.', ({ rejected }) => rejected),
    ...each('meter', 'discarded', undefined, 'The same as fatal.', ({ rejected }) => rejected),
    ...each(
      'meter',
      'retried',
      'commands_retried',
      'Commands that were tried again because the database failed, once for each time.',
      ({ retried }) => retried,
    ),
    ...each(
      'histogram',
      'retry-counts',
      undefined,
      'How often an applied command had been tried again.',
      ({ retryCounts }) => retryCounts,
    ),
    ...each(
      'counter',
      'awaiting-retry',
      'commands_awaiting_retry',
      'Commands of the batch that waits for the database.',
      ({ awaitingRetry }) => awaitingRetry,
      { falls: true },
    ),
    ...each(
      'counter',
      'ignored',
      'commands_ignored',
      'Commands that changed nothing, because something newer was stored.',
      ({ ignored }) => ignored,
    ),
    ...each(
      'counter',
      'invalidated',
      'commands_superseded',
      'Commands that a newer command of the same batch replaced.',
      ({ superseded }) => superseded,
    ),
    ...each(
      'timer',
      'processing-time',
      'command_processing_duration_seconds',
      'Time of a batch from its start to its commit, divided by its commands.',
      ({ processingTime }) => processingTime,
    ),
    ...each(
      'histogram',
      'queue-time',
      'command_queue_duration_seconds',
      'Time between the acceptance of a command and the start of its batch (MBeans: whole seconds).',
      ({ queueTime }) => queueTime,
      { shown: inSeconds },
    ),
  ];
}

/** PuppetDB counts whole seconds. */
function inSeconds(milliseconds: Meters['histogram']): Meters['histogram'] {
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  return {
    bounds: milliseconds.bounds,
    sum: milliseconds.sum,
    cumulative: () => milliseconds.cumulative(),
    get count() {
      return milliseconds.count;
    },
    statistics: () => {
      const { count, min, max, mean, standardDeviation, percentiles } = milliseconds.statistics();
      return {
        count,
        min: seconds(min),
        max: seconds(max),
        mean: mean / 1_000,
        standardDeviation: standardDeviation / 1_000,
        percentiles: percentiles.map(seconds),
      };
    },
  };
}

const timerBean = (bean: string, help: string, timer: Timer): Metric =>
  metric('timer', { bean, help, meters: only(timer) });

/** The steps that PuppetDB measures, too. PuppetDB measures each command; here a command counts with its share of the batch. */
function stepMetrics(steps: StepMeters): Metric[] {
  const timer = (name: string, help: string, meter: Timer): Metric => timerBean(`storage:${name}`, help, meter);
  return [
    timerBean('mq:global.command-parse-time', 'Time to inflate, read and check a payload.', steps.parse),
    timer('replace-facts-time', 'Time of a `replace facts`, with its share of the common steps.', steps.replaceFacts),
    timer('replace-catalog-time', 'The same of a `replace catalog`.', steps.replaceCatalog),
    timer('store-report-time', 'The same of a `store report`.', steps.storeReport),
    timer('new-fact-time', 'Time to store the facts of a node that had none.', steps.newFacts),
    timer('catalog-hash', 'Time to hash a catalog, and to compare it with the stored one.', steps.catalogHash),
    timer('catalog-hash-match-time', 'Time to store a catalog whose content was stored already.', steps.sameCatalog),
    timer('catalog-hash-miss-time', 'Time to store a catalog that replaces another one.', steps.changedCatalog),
    timer('new-catalog-time', 'Time to store the catalog of a node that had none.', steps.newCatalog),
    timer('add-resources', 'Time to write the resources of a catalog.', steps.addResources),
    timer('add-edges', 'Time to write the edges of a catalog.', steps.addEdges),
  ];
}

/** The MBeans of PuppetDB for each step of a cleaning: its times, and how often it was done. */
const cleaningBeans: readonly (readonly [times: string, counts: string, what: string, step?: CleaningStep])[] = [
  ['node-expiration-time', 'node-expirations', 'expire nodes and delete inactive ones', 'apply_age_limits'],
  ['node-purge-time', 'node-purges', 'expire nodes and delete inactive ones', 'apply_age_limits'],
  ['report-purge-time', 'report-purges', 'delete old reports and events', 'purge_reports'],
  ['resource-events-purge-time', 'resource-event-purges', 'delete old reports and events', 'purge_reports'],
  ['catalog-gc-time', 'catalog-gcs', 'remove contents of resources', 'collect_resource_contents'],
  ['fact-path-gc-time', 'fact-path-gcs', 'remove paths of facts', 'collect_fact_paths'],
  ['package-gc-time', 'package-gcs', 'remove packages', 'collect_packages'],
  ['other-clean-time', 'other-cleans', 'remove everything else'],
];
const vacuumBeans: readonly (readonly [name: string, what: string, step?: CleaningStep])[] = [
  ['gc-time', 'everything but packages'],
  ['gc-params-time', 'contents of resources', 'collect_resource_contents'],
  ['gc-environments-time', 'environments', 'collect_environments'],
  ['gc-fact-paths', 'paths of facts', 'collect_fact_paths'],
  ['gc-packages-time', 'packages', 'collect_packages'],
];

function cleaningMetrics(cleanings: CleaningMeters): Metric[] {
  return [
    metric('gauge', {
      bean: 'admin:cleaning',
      help: 'The tasks of the cleaning that runs; empty if none runs.',
      meters: only(() => cleanings.underWay),
    }),
    ...cleaningBeans.flatMap(([times, counts, what, step]) => {
      const meter = step === undefined ? cleanings.other : cleanings.of(step);
      return [
        timerBean(`admin:${times}`, `Time of a cleaning to ${what}.`, meter),
        metric('counter', { bean: `admin:${counts}`, help: 'How often a cleaning did so.', meters: only(meter) }),
      ];
    }),
    ...vacuumBeans.map(([name, what, step]) =>
      timerBean(
        `storage:${name}`,
        `Time of a cleaning to remove ${what} without references.`,
        step === undefined ? cleanings.otherCollection : cleanings.of(step),
      ),
    ),
  ];
}

function letterMetrics(stored: StoredFigures): Metric[] {
  const letters = (bean: string, name: string | undefined, help: string, which: keyof WaitingLetters): Metric =>
    metric('counter', {
      ...(name !== undefined && { name }),
      bean: `dlo:puppetlabs.puppetdb.dlo.global.${bean}`,
      neutralBean: `dlo:global.${bean}`,
      help,
      falls: true,
      meters: only(later(async () => (await stored.letters())?.[which])),
    });
  return [
    letters(
      'messages',
      'nodeledger_dead_letters',
      'Rejected commands that wait for a decision; counting stops at 100,000.',
      'letters',
    ),
    letters('filesize', undefined, 'Bytes of the payloads of these commands.', 'bytes'),
  ];
}

function populationMetrics(stored: StoredFigures): Metric[] {
  const gauge = (read: (found: Population) => number) => async (): Promise<number | null> => {
    const found = await stored.population();
    return found === undefined ? null : read(found);
  };
  const active = gauge(({ activeNodes }) => activeNodes);
  const inactive = gauge(({ inactiveNodes }) => inactiveNodes);
  const resources = gauge((found) => found.resources);
  const bean = (name: string, help: string, meter: Meters['gauge']): Metric =>
    metric('gauge', { bean: `population:${name}`, help, meters: only(meter) });
  return [
    metric('gauge', {
      name: 'nodeledger_nodes',
      bean: 'population:num-{state}-nodes',
      help: 'Nodes: active, and deactivated or expired (inactive).',
      labels: ['state'],
      meters: () => [
        { labels: ['active'], meter: active },
        { labels: ['inactive'], meter: inactive },
      ],
    }),
    bean('num-nodes', 'The same as num-active-nodes.', active),
    metric('gauge', {
      name: 'nodeledger_resources',
      help: 'Resources of all catalogs, and how many of them differ; an estimate above 50,000.',
      labels: ['kind'],
      meters: () => [
        { labels: ['all'], meter: resources },
        { labels: ['distinct'], meter: gauge(({ distinctResources }) => distinctResources) },
      ],
    }),
    bean('num-resources', 'Resources of all catalogs.', resources),
    bean(
      'avg-resources-per-node',
      'Resources for each active node.',
      gauge((found) => (found.activeNodes === 0 ? 0 : found.resources / found.activeNodes)),
    ),
    bean(
      'pct-resource-dupes',
      'Part of the resources that another catalog has as well, from 0 to 1.',
      gauge((found) => (found.resources === 0 ? 0 : Math.max(0, 1 - found.distinctResources / found.resources))),
    ),
  ];
}

function storageMetrics(live: LiveFigures): Metric[] {
  return [
    sampled(
      'nodeledger_storage_bytes',
      'gauge',
      "Space on the disk: the embedded log, the read tables, their past, all other tables, and PostgreSQL's write-ahead log (wal).",
      ['part'],
      async () =>
        present(await live.storage(), ({ logBytes, tableBytes, pastBytes, otherBytes, walBytes }) => [
          ...present(logBytes, (bytes) => [value(bytes, 'log')]),
          value(tableBytes, 'tables'),
          value(pastBytes, 'past'),
          value(otherBytes, 'other'),
          ...present(walBytes, (bytes) => [value(bytes, 'wal')]),
        ]),
    ),
    sampled(
      'nodeledger_disk_bytes',
      'gauge',
      'The file system of the embedded PostgreSQL: free, total, and the reserve below which commands are refused.',
      ['state'],
      async () =>
        present((await live.storage())?.disk, ({ freeBytes, totalBytes, reserveBytes }) => [
          value(freeBytes, 'free'),
          value(totalBytes, 'total'),
          value(reserveBytes, 'reserve'),
        ]),
    ),
  ];
}

function poolMetrics({ readPool, writePool }: ServiceMeters): Metric[] {
  const pools = [
    { labels: ['read'], meter: readPool },
    { labels: ['write'], meter: writePool },
  ] as const;
  const states = ['active', 'idle', 'pending', 'total', 'max'] as const;
  const names = (item: string): { bean: string; neutralBean: string } => ({
    bean: `database:PDB{Pool}Pool.pool.${item}`,
    neutralBean: `database:{Pool}Pool.pool.${item}`,
  });
  return [
    metric('gauge', {
      name: 'nodeledger_pool_connections',
      ...names('{State}Connections'),
      help: 'Connections to PostgreSQL: active, idle, callers that wait (pending), open (total), and the most at once (max).',
      labels: ['pool', 'state'],
      meters: () =>
        pools.flatMap(({ labels, meter }) =>
          states.map((state) => ({ labels: [...labels, state], meter: () => meter.counts[state] })),
        ),
    }),
    metric('timer', {
      name: 'nodeledger_pool_wait_duration_seconds',
      ...names('Wait'),
      help: 'Time until a caller has a connection.',
      labels: ['pool'],
      meters: () => pools.map(({ labels, meter }) => ({ labels, meter: meter.waitTime })),
    }),
    metric('histogram', {
      name: 'nodeledger_pool_use_duration_seconds',
      ...names('Usage'),
      help: 'Time for which a connection is held.',
      labels: ['pool'],
      meters: () => pools.map(({ labels, meter }) => ({ labels, meter: meter.usage })),
    }),
    metric('meter', {
      name: 'nodeledger_pool_failures',
      ...names('ConnectionTimeoutRate'),
      help: 'Callers that got no connection.',
      labels: ['pool'],
      meters: () => pools.map(({ labels, meter }) => ({ labels, meter: meter.failures })),
    }),
  ];
}

function threadMetrics(threads: readonly ThreadMeters[]): Metric[] {
  const each = (samples: (name: string, figures: ThreadFigures) => Sample[]) => (): Sample[] =>
    threads.flatMap((thread) => present(thread.figures(), (figures) => samples(thread.name, figures)));
  return [
    sampled(
      'nodeledger_event_loop_delay_seconds',
      'gauge',
      'How late a thread was in the last one to two minutes.',
      ['thread', 'statistic'],
      each((name, { loopDelay }) => byKey(loopDelay, milli, name)),
    ),
    sampled(
      'nodeledger_event_loop_busy_seconds',
      'counter',
      'Time for which a thread did not wait for anything.',
      ['thread'],
      each((name, { busyMs }) => [value(busyMs * milli, name)]),
    ),
    sampled(
      'nodeledger_gc_duration_seconds',
      'histogram',
      'Pauses of a thread for collecting garbage, by kind.',
      ['thread', 'kind'],
      () =>
        threads.flatMap(({ name, collections }) =>
          collections.all().map(({ labels, meter }) => histogramSample([name, ...labels], meter, milli)),
        ),
    ),
    sampled(
      'nodeledger_heap_bytes',
      'gauge',
      'Heap of a thread: used, taken from the system (total), the most it may have (limit); and external, its buffers.',
      ['thread', 'area'],
      each((name, { heap }) => byKey(heap, 1, name)),
    ),
  ];
}

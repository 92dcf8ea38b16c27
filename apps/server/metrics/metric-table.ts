import type { CleaningStep } from '#admin';
import type { MeterSet, Timer } from '#metrics';
import type { Storage } from '#observe';
import type { MetricFamily, Sample } from '#openmetrics';
import type { Population } from '#projections';
import type { CleaningMeters } from './cleaning-meters';
import { type CommandMeterName, commandTable } from './command-meters';
import { histogramSample, type Meters, type Metric, metric, only, sampled } from './metric';
import type { ServiceMeters } from './service-meters';
import { stepTable } from './step-meters';
import type { StoredFigures } from './stored-figures';
import type { ThreadMeters } from './thread-meters';
import type { ThreadFigures } from './thread-probe';

/** A figure is undefined if this process does not know the figure. */
export interface LiveFigures {
  readonly heldBodyBytes: () => number;
  readonly queries: () => { readonly running: number; readonly waiting: number; readonly total: number } | undefined;
  readonly streams: () => number | undefined;
  readonly projectorRuns: () => boolean | undefined;
  readonly alerts: () => readonly string[];
  readonly storage: () => Promise<Storage | undefined>;
  /**
   * Returns the seconds that the oldest undelivered change has waited, for each subscription to which this process
   * delivers.
   */
  readonly webhookLags: () => ReadonlyMap<string, number> | undefined;
}

export interface MetricParts {
  readonly meters: ServiceMeters;
  readonly stored: StoredFigures;
  readonly threads: readonly ThreadMeters[];
  readonly live: LiveFigures;
  readonly build: { readonly version: string; readonly reportedVersion: string; readonly components: string };
}

export const familiesOf = (table: readonly Metric[]): readonly MetricFamily[] =>
  table.flatMap(({ family }) => family ?? []);

/** `/metrics` and the MBeans take names, types and help texts from this table. docs/monitoring.md lists its metrics. */
export function metricTable({ meters, stored, threads, live, build }: MetricParts): readonly Metric[] {
  const { http, queries, streams, cleanings, steps } = meters;
  return [
    sampled(
      'nodeledger_build',
      'info',
      'Versions and components of this process.',
      ['version', 'reported_version', 'components', 'node_version'],
      () => [value(1, build.version, build.reportedVersion, build.components, process.version)],
    ),
    labelled('timer', 'http_request_duration_seconds', 'Time of requests, by route.', http.times),
    labelled('meter', 'http_responses', 'Answers, by route and status.', http.answers),
    labelled('counter', 'http_errors', 'Error answers, by route and code (docs/errors.md).', http.errors),
    beans(
      'timer',
      'http:{path}.service-time',
      'Time of requests whose path is this path or is below this path.',
      http.timesBelow,
    ),
    beans(
      'meter',
      'http:{path}.{status}',
      'Answers with this status to requests whose path is this path or is below this path.',
      http.answersBelow,
    ),
    metric('gauge', { name: 'http_held_body_bytes' }, 'Bytes of request bodies in memory.', only(live.heldBodyBytes)),
    ...commandMetrics(meters, stored),
    labelled(
      'timer',
      'batch_step_duration_seconds',
      'Time of a step of a batch, for all commands of the batch together.',
      steps.steps,
    ),
    ...Object.entries(stepTable).map(([name, [bean, help]]) =>
      beanOf('timer', bean, help, steps.shares[name as keyof typeof stepTable]),
    ),
    ...catalogMetrics(meters),
    keyed('lag_records', 'partition', 'Records of the log that are not applied yet, by partition.', () => stored.lag()),
    beanOf(
      'counter',
      'mq:global.depth',
      'Commands in the log that are not applied yet.',
      later(async () => {
        const lags = await stored.lag();
        return lags && [...lags.values()].reduce((sum, lag) => sum + lag, 0);
      }),
    ),
    metric(
      'gauge',
      { name: 'projector_running' },
      '1 while the projector of this process runs.',
      only(() => {
        const runs = live.projectorRuns();
        return runs === undefined ? null : Number(runs);
      }),
    ),
    ...letterMetrics(stored),
    keyed(
      'rebuild_records',
      'state',
      'Records that a rebuild has applied (done), and all records that it must apply (total).',
      async () => pick(await stored.rebuild(), ({ done, total }) => ({ done, total })),
    ),
    labelled(
      'counter',
      'replayed_records',
      'Records that this process has replayed, for a rebuild at the start or for periodic snapshots.',
      meters.replayed,
    ),
    labelled('timer', 'cleaning_step_duration_seconds', 'Time of the steps of cleanings.', cleanings.steps),
    ...cleaningMetrics(cleanings),
    keyed(
      'storage_bytes',
      'part',
      "Space on the disk: the embedded log (log), the read tables (tables), their history (past), all other tables (other), and PostgreSQL's write-ahead log (wal).",
      async () =>
        pick(await live.storage(), ({ logBytes, tableBytes, pastBytes, otherBytes, walBytes }) => ({
          log: logBytes,
          tables: tableBytes,
          past: pastBytes,
          other: otherBytes,
          wal: walBytes,
        })),
    ),
    keyed(
      'disk_bytes',
      'state',
      'File system of the embedded PostgreSQL: free bytes, total bytes, and the reserve. If less than the reserve is free, the service refuses commands.',
      async () =>
        pick((await live.storage())?.disk, ({ freeBytes, totalBytes, reserveBytes }) => ({
          free: freeBytes,
          total: totalBytes,
          reserve: reserveBytes,
        })),
    ),
    ...populationMetrics(stored),
    labelled(
      'timer',
      'query_duration_seconds',
      'Time of queries until the last row or the failure, by route.',
      queries.times,
    ),
    labelled('counter', 'query_rows', 'Rows in answers to queries, by route.', queries.rows),
    labelled('counter', 'query_failures', 'Queries that failed, by code (docs/errors.md).', queries.failures),
    keyed(
      'query_places',
      'state',
      'Queries that are running, queries that are waiting, and the maximum number of running queries (total).',
      live.queries,
    ),
    labelled(
      'timer',
      'webhook_attempt_duration_seconds',
      'Time of attempts to deliver a change: delivered (2xx), refused (another answer) or unanswered.',
      meters.webhooks.times,
    ),
    keyed(
      'webhook_lag_seconds',
      'subscription',
      'Seconds that the oldest undelivered change of a subscription has waited; 0 if none waits. Only in the process that delivers.',
      live.webhookLags,
    ),
    metric(
      'gauge',
      { name: 'change_streams' },
      'Open streams of changes.',
      only(() => live.streams() ?? null),
    ),
    metric('counter', { name: 'change_events' }, 'Events that streams of changes have sent.', only(streams.sent)),
    metric(
      'counter',
      { name: 'change_streams_cut_off' },
      'Streams of changes that were cut off because the client read too slowly.',
      only(streams.cutOff),
    ),
    ...poolMetrics(meters),
    sampled('nodeledger_alert', 'gauge', '1 while an alert is active, by code (docs/reliability.md).', ['code'], () =>
      live.alerts().map((code) => value(1, code)),
    ),
    ...threadMetrics(threads),
    ...processMetrics,
  ];
}

const value = (number: number, ...labels: string[]): Sample => ({ labels, value: number });

const labelled = <Kind extends keyof Meters>(
  kind: Kind,
  name: string,
  help: string,
  set: MeterSet<Meters[Kind] & object>,
): Metric => metric(kind, { name, labels: set.labels }, help, () => set.all());

/** The labels of a meter are part of the name of its MBean. */
const beans = <Kind extends keyof Meters>(
  kind: Kind,
  bean: string,
  help: string,
  set: MeterSet<Meters[Kind] & object>,
): Metric => metric(kind, { bean }, help, () => set.all());

const beanOf = <Kind extends keyof Meters>(kind: Kind, bean: string, help: string, meter: Meters[Kind]): Metric =>
  metric(kind, { bean }, help, only(meter));

/** Creates one sample for each key. Omits figures that are undefined. */
const keyed = (
  name: string,
  label: string,
  help: string,
  read: () => Figures | Promise<Figures>,
  type: 'gauge' | 'counter' = 'gauge',
): Metric =>
  sampled(`nodeledger_${name}`, type, help, [label], async () => {
    const found = await read();
    return samplesOf(found instanceof Map ? [...found] : Object.entries(found ?? {}));
  });
type Figures = ReadonlyMap<number | string, number> | Readonly<Record<string, number | undefined>> | undefined;

const samplesOf = (
  entries: readonly (readonly [key: string | number, number: number | undefined])[],
  scale = 1,
  ...labels: string[]
): Sample[] =>
  entries.flatMap(([key, number]) => (number === undefined ? [] : [value(number * scale, ...labels, String(key))]));

const pick = <T, R>(found: T | undefined, figures: (found: T) => R): R | undefined =>
  found === undefined ? undefined : figures(found);

/** Reads the value of a counter only when a client requests it. */
const later = (read: () => Promise<number | undefined>): Meters['counter'] => ({
  get count() {
    return read().then((found) => found ?? null);
  },
});

function commandMetrics({ commands, allCommands }: ServiceMeters, stored: StoredFigures): Metric[] {
  const names = Object.keys(commandTable) as CommandMeterName[];
  const each = ['command', 'version'];
  return [
    ...names.flatMap((key) => {
      const { make, bean, name, help } = commandTable[key];
      const kind = make === 'timer' || make === 'meter' || make === 'counter' ? make : 'histogram';
      // PuppetDB counts most rejected commands under only one of its names `fatal` and `discarded`. Here, each of the
      // two names counts all rejected commands.
      const both = key === 'rejected' ? [bean, 'discarded'] : [bean];
      return both.flatMap((one) => [
        metric(kind, { ...(one === bean && { name }), labels: each, bean: `mq:{command}.{version}.${one}` }, help, () =>
          commands.all().map(({ labels, meter }) => ({ labels, meter: meter[key] as never })),
        ),
        beanOf(kind, `mq:global.${one}`, help, allCommands[key] as never),
      ]);
    }),
    metric(
      'counter',
      { bean: 'mq:{command}.{version}.depth' },
      'Commands in the embedded log that the projector has not applied yet (counted up to 20,000). Null if the log is on Kafka.',
      () =>
        commands.all().map(({ labels }) => ({
          labels,
          meter: later(async () => pick(await stored.waiting(), (found) => found.get(labels.join(' ')) ?? 0)),
        })),
    ),
  ];
}

function catalogMetrics({ newCatalogs, duplicateCatalogs }: ServiceMeters): Metric[] {
  return [
    keyed(
      'catalogs_stored',
      'content',
      'Catalogs that the projector has applied: with new content (new), or with content that was already stored (unchanged).',
      () => ({ new: newCatalogs.count, unchanged: duplicateCatalogs.count }),
      'counter',
    ),
    beanOf('counter', 'storage:new-catalogs', 'Catalogs with new content.', newCatalogs),
    beanOf('counter', 'storage:duplicate-catalogs', 'Catalogs whose content was already stored.', duplicateCatalogs),
    beanOf(
      'gauge',
      'storage:duplicate-pct',
      'Fraction of catalogs whose content was already stored, from 0 to 1.',
      () => {
        const all = newCatalogs.count + duplicateCatalogs.count;
        return all === 0 ? 0 : duplicateCatalogs.count / all;
      },
    ),
  ];
}

const timerBean = (bean: string, help: string, timer: Timer): Metric => beanOf('timer', bean, help, timer);

/** PuppetDB's MBeans about cleanings. A row without a step measures `other`. */
const cleaningBeans: readonly (readonly [times: string, counts: string, what: string, step?: CleaningStep])[] = [
  ['node-expiration-time', 'node-expirations', 'expire nodes and delete inactive nodes', 'apply_age_limits'],
  ['node-purge-time', 'node-purges', 'expire nodes and delete inactive nodes', 'apply_age_limits'],
  ['report-purge-time', 'report-purges', 'delete old reports and events', 'purge_reports'],
  ['resource-events-purge-time', 'resource-event-purges', 'delete old reports and events', 'purge_reports'],
  ['catalog-gc-time', 'catalog-gcs', 'remove contents of resources', 'collect_resource_contents'],
  ['fact-path-gc-time', 'fact-path-gcs', 'remove paths of facts', 'collect_fact_paths'],
  ['package-gc-time', 'package-gcs', 'remove packages', 'collect_packages'],
  [
    'other-clean-time',
    'other-cleans',
    'remove old dead letters, old entries of the audit log, and all other rows without references',
  ],
];
const vacuumBeans: readonly (readonly [name: string, what: string, step?: CleaningStep])[] = [
  ['gc-time', 'all rows except packages'],
  ['gc-params-time', 'contents of resources', 'collect_resource_contents'],
  ['gc-environments-time', 'environments', 'collect_environments'],
  ['gc-fact-paths', 'paths of facts', 'collect_fact_paths'],
  ['gc-packages-time', 'packages', 'collect_packages'],
];

function cleaningMetrics(cleanings: CleaningMeters): Metric[] {
  return [
    beanOf(
      'gauge',
      'admin:cleaning',
      'Names of the tasks of the running cleaning. Empty if no cleaning runs.',
      () => cleanings.underWay,
    ),
    ...cleaningBeans.flatMap(([times, counts, what, step]) => {
      const meter = step === undefined ? cleanings.other : cleanings.of(step);
      return [
        timerBean(`admin:${times}`, `Time of a cleaning to ${what}.`, meter),
        beanOf('counter', `admin:${counts}`, `Number of cleanings to ${what}.`, meter),
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
  const letters = async (): Promise<number | undefined> => (await stored.letters())?.letters;
  const help = 'Dead letters that nobody has retried or purged yet (counted up to 100,000).';
  const beanNames = (bean: string): { bean: string; neutralBean: string } => ({
    bean: `dlo:puppetlabs.puppetdb.dlo.global.${bean}`,
    neutralBean: `dlo:global.${bean}`,
  });
  return [
    metric(
      'gauge',
      { name: 'dead_letters' },
      help,
      only(async () => (await letters()) ?? null),
    ),
    metric('counter', beanNames('messages'), help, only(later(letters))),
    metric(
      'counter',
      beanNames('filesize'),
      'Bytes of the payloads of the dead letters that nobody has retried or purged yet.',
      only(later(async () => (await stored.letters())?.bytes)),
    ),
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
  return [
    metric(
      'gauge',
      { name: 'nodes', labels: ['state'], bean: 'population:num-{state}-nodes' },
      'Active nodes (active), and deactivated or expired nodes (inactive).',
      () => [
        { labels: ['active'], meter: active },
        { labels: ['inactive'], meter: inactive },
      ],
    ),
    beanOf('gauge', 'population:num-nodes', 'Active nodes (the same value as num-active-nodes).', active),
    keyed(
      'resources',
      'kind',
      'Resources of all catalogs (all), and different resources (distinct). Above 50,000, the values are estimates.',
      async () =>
        pick(await stored.population(), (found) => ({ all: found.resources, distinct: found.distinctResources })),
    ),
    beanOf('gauge', 'population:num-resources', 'Resources of all catalogs.', resources),
    beanOf(
      'gauge',
      'population:avg-resources-per-node',
      'Average number of resources of an active node.',
      gauge((found) => (found.activeNodes === 0 ? 0 : found.resources / found.activeNodes)),
    ),
    beanOf(
      'gauge',
      'population:pct-resource-dupes',
      'Fraction of resources that are also in another catalog, from 0 to 1.',
      gauge((found) => (found.resources === 0 ? 0 : Math.max(0, 1 - found.distinctResources / found.resources))),
    ),
  ];
}

function poolMetrics({ readPool, writePool }: ServiceMeters): Metric[] {
  const pools = [
    { labels: ['read'], meter: readPool },
    { labels: ['write'], meter: writePool },
  ] as const;
  const states = ['active', 'idle', 'pending', 'total', 'max'] as const;
  const names = (item: string): { labels: readonly string[]; bean: string; neutralBean: string } => ({
    labels: ['pool'],
    bean: `database:PDB{Pool}Pool.pool.${item}`,
    neutralBean: `database:{Pool}Pool.pool.${item}`,
  });
  return [
    metric(
      'gauge',
      { ...names('{State}Connections'), name: 'pool_connections', labels: ['pool', 'state'] },
      'Connections to PostgreSQL: active, idle, all open (total), and the maximum (max). pending: requests that wait for a connection.',
      () =>
        pools.flatMap(({ labels, meter }) =>
          states.map((state) => ({ labels: [...labels, state], meter: () => meter.counts[state] })),
        ),
    ),
    metric(
      'timer',
      { ...names('Wait'), name: 'pool_wait_duration_seconds' },
      'Time that a request waits for a connection.',
      () => pools.map(({ labels, meter }) => ({ labels, meter: meter.waitTime })),
    ),
    metric('histogram', names('Usage'), 'Milliseconds that a request holds a connection.', () =>
      pools.map(({ labels, meter }) => ({ labels, meter: meter.usage })),
    ),
    metric('meter', names('ConnectionTimeoutRate'), 'Requests that got no connection in time.', () =>
      pools.map(({ labels, meter }) => ({ labels, meter: meter.failures })),
    ),
  ];
}

function threadMetrics(threads: readonly ThreadMeters[]): Metric[] {
  const each = (samples: (name: string, figures: ThreadFigures) => Sample[]) => (): Sample[] =>
    threads.flatMap((thread) => pick(thread.figures(), (figures) => samples(thread.name, figures)) ?? []);
  return [
    sampled(
      'nodeledger_event_loop_delay_seconds',
      'gauge',
      'Delay of the event loop of a thread in the last one to two minutes.',
      ['thread', 'statistic'],
      each((name, { loopDelay }) => samplesOf(Object.entries(loopDelay), 0.001, name)),
    ),
    sampled(
      'nodeledger_event_loop_busy_seconds',
      'counter',
      'Time for which the event loop of a thread was busy.',
      ['thread'],
      each((name, { busyMs }) => [value(busyMs / 1_000, name)]),
    ),
    sampled(
      'nodeledger_gc_duration_seconds',
      'histogram',
      'Pauses of a thread for garbage collections, by kind.',
      ['thread', 'kind'],
      () =>
        threads.flatMap(({ name, collections }) =>
          collections.all().map(({ labels, meter }) => histogramSample([name, ...labels], meter)),
        ),
    ),
    sampled(
      'nodeledger_heap_bytes',
      'gauge',
      'Heap of a thread: used bytes, bytes that are reserved from the system (total), and the maximum (limit). external: buffers outside of the heap.',
      ['thread', 'area'],
      each((name, { heap }) => samplesOf(Object.entries(heap), 1, name)),
    ),
  ];
}

/** Prometheus's client libraries use the same names. */
const processMetrics: readonly Metric[] = [
  sampled('process_resident_memory_bytes', 'gauge', 'Memory of the process, with all its threads.', [], () => [
    value(process.memoryUsage.rss()),
  ]),
  sampled('process_cpu_seconds', 'counter', 'Processor time of all threads.', [], () => {
    const { user, system } = process.cpuUsage();
    return [value((user + system) / 1e6)];
  }),
];

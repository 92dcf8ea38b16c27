/** The table of OpenMetrics: each family with the meters that it is made of. docs/metrics.md shows it. */
import type { Storage } from '#observe';
import type { Distribution, LabelledMeter, MeterSet, Timer } from '#metrics';
import type { MetricFamily, Sample } from '#openmetrics';
import type { CommandMeters } from './command-meters';
import type { PoolMeters } from './pool-meters';
import type { ServiceMeters } from './service-meters';
import type { StoredFigures } from './stored-figures';
import type { ThreadMeters } from './thread-meters';
import type { ThreadFigures } from './thread-probe';

/** What is looked at when somebody asks. Undefined: not in this process. */
export interface LiveFigures {
  readonly heldBodyBytes: () => number;
  readonly queries: () => { readonly running: number; readonly waiting: number; readonly total: number } | undefined;
  readonly projectorRuns: () => boolean | undefined;
  /** The codes of the trouble that lasts. */
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

/** `scale`: what a value of the meter is in the unit of the family. */
const histogram = (
  meter: Pick<Distribution, 'cumulative' | 'count' | 'sum'>,
  bounds: readonly number[],
  labels: readonly string[],
  scale: number,
): Sample => {
  const counts = meter.cumulative();
  const buckets = bounds.map((bound, at) => ({
    bound: Number((bound * scale).toPrecision(6)),
    count: counts[at] ?? 0,
  }));
  return { labels, buckets, count: meter.count, sum: meter.sum * scale };
};

const timed = (labels: readonly string[], timer: Timer): Sample => histogram(timer, timer.bounds, labels, milli);

const timers = (set: MeterSet<Timer>) => (): Sample[] => set.all().map(({ labels, meter }) => timed(labels, meter));

const counted = (set: MeterSet<{ readonly count: number }>) => (): Sample[] =>
  set.all().map(({ labels, meter }) => value(meter.count, ...labels));

/** Every family that there is. */
export function metricTable({ meters, stored, threads, live, build }: MetricParts): readonly MetricFamily[] {
  const { http, queries } = meters;
  return [
    {
      name: 'nodeledger_build',
      type: 'info',
      help: 'The program and the components of this process.',
      labels: ['version', 'reported_version', 'components', 'node_version'],
      samples: () => [value(1, build.version, build.reportedVersion, build.components, process.version)],
    },
    {
      name: 'nodeledger_http_request_duration_seconds',
      type: 'histogram',
      help: 'Time of requests, by route.',
      unit: 'seconds',
      labels: ['route'],
      samples: timers(http.times),
    },
    {
      name: 'nodeledger_http_responses',
      type: 'counter',
      help: 'Answers, by route and status.',
      labels: ['route', 'status'],
      samples: counted(http.answers),
    },
    {
      name: 'nodeledger_http_errors',
      type: 'counter',
      help: 'Answers that are errors, by route and code (docs/errors.md).',
      labels: ['route', 'code'],
      samples: counted(http.errors),
    },
    {
      name: 'nodeledger_http_held_body_bytes',
      type: 'gauge',
      help: 'Bytes of request bodies in memory.',
      unit: 'bytes',
      samples: () => [value(live.heldBodyBytes())],
    },
    ...commandFamilies(meters.commands),
    {
      name: 'nodeledger_batch_step_duration_seconds',
      type: 'histogram',
      help: 'Time that a batch of the projector takes for a step, for all its commands together.',
      unit: 'seconds',
      labels: ['step'],
      samples: timers(meters.steps.steps),
    },
    {
      name: 'nodeledger_catalogs_stored',
      type: 'counter',
      help: 'Catalogs that were projected, by whether their content was stored already.',
      labels: ['content'],
      samples: () => [value(meters.newCatalogs.count, 'new'), value(meters.duplicateCatalogs.count, 'unchanged')],
    },
    {
      name: 'nodeledger_lag_records',
      type: 'gauge',
      help: 'Records of the log that are not applied yet, by partition.',
      labels: ['partition'],
      samples: async () =>
        present(await stored.lag(), (lags) => [...lags].map(([partition, lag]) => value(lag, String(partition)))),
    },
    {
      name: 'nodeledger_projector_running',
      type: 'gauge',
      help: '1 while the projector of this process runs.',
      samples: () => present(live.projectorRuns(), (runs) => [value(runs ? 1 : 0)]),
    },
    {
      name: 'nodeledger_dead_letters',
      type: 'gauge',
      help: 'Rejected commands that wait for a decision; counting stops at 100,000.',
      samples: async () => present(await stored.letters(), ({ letters }) => [value(letters)]),
    },
    {
      name: 'nodeledger_rebuild_records',
      type: 'gauge',
      help: 'Records of the log that a rebuild has applied (done), and that it has to apply in all (total).',
      labels: ['state'],
      samples: async () =>
        present(await stored.rebuild(), ({ done, total }) => [value(done, 'done'), value(total, 'total')]),
    },
    {
      name: 'nodeledger_replayed_records',
      type: 'counter',
      help: 'Records that a rebuild at the start, or periodic snapshots, have applied in this process.',
      labels: ['verb'],
      samples: counted(meters.replayed),
    },
    {
      name: 'nodeledger_cleaning_duration_seconds',
      type: 'histogram',
      help: 'Time of cleanings that went through, periodic and asked for.',
      unit: 'seconds',
      samples: () => [timed([], meters.cleanings.whole)],
    },
    {
      name: 'nodeledger_cleaning_step_duration_seconds',
      type: 'histogram',
      help: 'Time of the steps of cleanings.',
      unit: 'seconds',
      labels: ['step'],
      samples: timers(meters.cleanings.steps),
    },
    {
      name: 'nodeledger_storage_bytes',
      type: 'gauge',
      help: "Space on the disk: the embedded log, the read tables, all other tables, and PostgreSQL's write-ahead log (wal).",
      unit: 'bytes',
      labels: ['part'],
      samples: async () =>
        present(await live.storage(), ({ logBytes, tableBytes, otherBytes, walBytes }) => [
          ...present(logBytes, (bytes) => [value(bytes, 'log')]),
          value(tableBytes, 'tables'),
          value(otherBytes, 'other'),
          ...present(walBytes, (bytes) => [value(bytes, 'wal')]),
        ]),
    },
    {
      name: 'nodeledger_disk_bytes',
      type: 'gauge',
      help: 'The file system of the embedded PostgreSQL: free, total, and the reserve below which commands are refused.',
      unit: 'bytes',
      labels: ['state'],
      samples: async () =>
        present((await live.storage())?.disk, ({ freeBytes, totalBytes, reserveBytes }) => [
          value(freeBytes, 'free'),
          value(totalBytes, 'total'),
          value(reserveBytes, 'reserve'),
        ]),
    },
    {
      name: 'nodeledger_nodes',
      type: 'gauge',
      help: 'Nodes: active, and those that are deactivated or expired.',
      labels: ['state'],
      samples: async () =>
        present(await stored.population(), ({ activeNodes, inactiveNodes }) => [
          value(activeNodes, 'active'),
          value(inactiveNodes, 'inactive'),
        ]),
    },
    {
      name: 'nodeledger_resources',
      type: 'gauge',
      help: 'Resources of all catalogs, and how many of them differ; an estimate above 50,000.',
      labels: ['kind'],
      samples: async () =>
        present(await stored.population(), ({ resources, distinctResources }) => [
          value(resources, 'all'),
          value(distinctResources, 'distinct'),
        ]),
    },
    {
      name: 'nodeledger_query_duration_seconds',
      type: 'histogram',
      help: 'Time of queries until their last row or their failure, by route.',
      unit: 'seconds',
      labels: ['route'],
      samples: timers(queries.times),
    },
    {
      name: 'nodeledger_query_rows',
      type: 'counter',
      help: 'Rows that queries answered, by route.',
      labels: ['route'],
      samples: counted(queries.rows),
    },
    {
      name: 'nodeledger_query_failures',
      type: 'counter',
      help: 'Queries that failed, by code (docs/errors.md).',
      labels: ['code'],
      samples: counted(queries.failures),
    },
    {
      name: 'nodeledger_query_places',
      type: 'gauge',
      help: 'Queries that run, that wait for a place, and that may run at once.',
      labels: ['state'],
      samples: () =>
        present(live.queries(), ({ running, waiting, total }) => [
          value(running, 'running'),
          value(waiting, 'waiting'),
          value(total, 'total'),
        ]),
    },
    ...poolFamilies([
      ['read', meters.readPool],
      ['write', meters.writePool],
    ]),
    {
      name: 'nodeledger_alert',
      type: 'gauge',
      help: '1 while an alert is active, by code (docs/reliability.md).',
      labels: ['code'],
      samples: () => live.alerts().map((code) => value(1, code)),
    },
    ...threadFamilies(threads),
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Memory of the process, with all its threads.',
      unit: 'bytes',
      samples: () => [value(process.memoryUsage.rss())],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      help: 'Processor time of all threads.',
      unit: 'seconds',
      samples: () => {
        const { user, system } = process.cpuUsage();
        return [value((user + system) / 1e6)];
      },
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      help: 'When the process began, as Unix time.',
      unit: 'seconds',
      samples: () => [value(performance.timeOrigin * milli)],
    },
  ];
}

function commandFamilies(commands: MeterSet<CommandMeters>): MetricFamily[] {
  const labels = ['command', 'version'];
  const family = (
    name: string,
    type: MetricFamily['type'],
    help: string,
    sample: (found: LabelledMeter<CommandMeters>) => Sample,
    unit?: MetricFamily['unit'],
  ): MetricFamily => ({
    name: `nodeledger_${name}`,
    type,
    help,
    labels,
    ...(unit && { unit }),
    samples: () => commands.all().map(sample),
  });
  const count = (of: (meters: CommandMeters) => { readonly count: number }) => (found: LabelledMeter<CommandMeters>) =>
    value(of(found.meter).count, ...found.labels);
  return [
    family(
      'command_append_duration_seconds',
      'histogram',
      'Time until the record of an accepted command is durable.',
      ({ labels: of, meter }) => timed(of, meter.appendTime),
      'seconds',
    ),
    family(
      'command_payload_bytes',
      'histogram',
      'Sizes of payloads as they came.',
      ({ labels: of, meter: { size } }) => histogram(size, size.bounds, of, 1),
      'bytes',
    ),
    family(
      'commands_appending',
      'gauge',
      'Commands that wait to become durable.',
      count(({ appending }) => appending),
    ),
    family(
      'commands_projected',
      'counter',
      'Commands that were applied to the tables.',
      count(({ processed }) => processed),
    ),
    family(
      'commands_rejected',
      'counter',
      'Commands that became dead letters.',
      count(({ rejected }) => rejected),
    ),
    family(
      'commands_retried',
      'counter',
      'Attempts at commands that failed because of the database.',
      count(({ retried }) => retried),
    ),
    family(
      'commands_ignored',
      'counter',
      'Commands that changed nothing, because something newer was stored.',
      count(({ ignored }) => ignored),
    ),
    family(
      'commands_superseded',
      'counter',
      'Commands that a newer command of the same batch replaced.',
      count(({ superseded }) => superseded),
    ),
    family(
      'commands_awaiting_retry',
      'gauge',
      'Commands of the batch that waits for the database.',
      count(({ awaitingRetry }) => awaitingRetry),
    ),
    family(
      'command_processing_duration_seconds',
      'histogram',
      'Time of a batch, from its begin to its commit, divided by its commands.',
      ({ labels: of, meter }) => timed(of, meter.processingTime),
      'seconds',
    ),
    family(
      'command_queue_duration_seconds',
      'histogram',
      'Time between the acceptance of a command and the begin of its batch.',
      ({ labels: of, meter: { queueTime } }) => histogram(queueTime, queueTime.bounds, of, milli),
      'seconds',
    ),
  ];
}

function threadFamilies(threads: readonly ThreadMeters[]): MetricFamily[] {
  const each = (samples: (name: string, figures: ThreadFigures) => Sample[]) => (): Sample[] =>
    threads.flatMap((thread) => present(thread.figures(), (figures) => samples(thread.name, figures)));
  const byKey = (name: string, values: object, scale: number): Sample[] =>
    Object.entries(values).map(([key, number]: [string, number]) => value(number * scale, name, key));
  return [
    {
      name: 'nodeledger_event_loop_delay_seconds',
      type: 'gauge',
      help: 'How late a thread was in the last one to two minutes.',
      unit: 'seconds',
      labels: ['thread', 'statistic'],
      samples: each((name, { loopDelay }) => byKey(name, loopDelay, milli)),
    },
    {
      name: 'nodeledger_event_loop_busy_seconds',
      type: 'counter',
      help: 'Time for which a thread did not wait for anything.',
      unit: 'seconds',
      labels: ['thread'],
      samples: each((name, { busyMs }) => [value(busyMs * milli, name)]),
    },
    {
      name: 'nodeledger_gc_duration_seconds',
      type: 'histogram',
      help: 'Pauses of a thread for collecting garbage, by kind.',
      unit: 'seconds',
      labels: ['thread', 'kind'],
      samples: () =>
        threads.flatMap(({ name, collections }) =>
          collections.all().map(({ labels, meter }) => timed([name, ...labels], meter)),
        ),
    },
    {
      name: 'nodeledger_heap_bytes',
      type: 'gauge',
      help: 'Heap of a thread: used, taken from the system (total), the most it may have (limit); and external, its buffers.',
      unit: 'bytes',
      labels: ['thread', 'area'],
      samples: each((name, { heap }) => byKey(name, heap, 1)),
    },
  ];
}

function poolFamilies(pools: readonly (readonly [name: string, pool: PoolMeters])[]): MetricFamily[] {
  const used = (): (readonly [string, PoolMeters])[] => pools.filter(([, pool]) => pool.counts.max > 0);
  return [
    {
      name: 'nodeledger_pool_connections',
      type: 'gauge',
      help: 'Connections to PostgreSQL: active, idle, callers that wait (pending), and the most at once (max).',
      labels: ['pool', 'state'],
      samples: () =>
        used().flatMap(([name, { counts }]) =>
          (['active', 'idle', 'pending', 'max'] as const).map((state) => value(counts[state], name, state)),
        ),
    },
    {
      name: 'nodeledger_pool_wait_duration_seconds',
      type: 'histogram',
      help: 'Time until a caller has a connection.',
      unit: 'seconds',
      labels: ['pool'],
      samples: () => used().map(([name, { waitTime }]) => timed([name], waitTime)),
    },
    {
      name: 'nodeledger_pool_use_duration_seconds',
      type: 'histogram',
      help: 'Time for which a connection is held.',
      unit: 'seconds',
      labels: ['pool'],
      samples: () => used().map(([name, { usage }]) => histogram(usage, usage.bounds, [name], milli)),
    },
    {
      name: 'nodeledger_pool_failures',
      type: 'counter',
      help: 'Callers that got no connection.',
      labels: ['pool'],
      samples: () => used().map(([name, { failures }]) => value(failures.count, name)),
    },
  ];
}

const present = <T>(found: T | undefined, samples: (there: T) => Sample[]): Sample[] =>
  found === undefined ? [] : samples(found);

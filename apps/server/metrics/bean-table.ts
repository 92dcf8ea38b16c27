/** The table of MBeans: `list`, `read` and `search` answer from it, and docs/metrics.md shows it. */
import type { Attribute } from '#jolokia';
import type { MeterSet, Timer } from '#metrics';
import type { Population, WaitingLetters } from '#projections';
import { attributesOf, type BeanKind, type BeanMeters } from './bean-kinds';
import type { CleaningMeters } from './cleaning-meters';
import type { CommandMeters } from './command-meters';
import type { PoolMeters } from './pool-meters';
import type { ServiceMeters } from './service-meters';
import type { StepMeters } from './step-meters';
import type { StoredFigures } from './stored-figures';

/** Where it lies below `puppetlabs.puppetdb.` or `nodeledger.`. */
type BeanDomain = 'mq' | 'population' | 'http' | 'storage' | 'admin' | 'database' | 'dlo';

/** MBeans of one kind and meaning, whose names differ in what stands in braces. */
export interface BeanGroup {
  readonly domain: BeanDomain;
  /** `{command}.{version}.seen` */
  readonly name: string;
  /** The name in the dialect neutral, where it is another one. */
  readonly neutralName?: string;
  readonly kind: BeanKind;
  /** For people, a phrase. */
  readonly meaning: string;
  /** New ones come with use, behind those that were there. */
  readonly members: () => readonly BeanMember[];
}

interface BeanMember {
  /** What stands in braces. */
  readonly values: readonly string[];
  readonly attributes: () => ReadonlyMap<string, Attribute>;
}

interface BeanParts {
  readonly meters: ServiceMeters;
  readonly stored: StoredFigures;
}

type Measured = Pick<BeanGroup, 'kind' | 'members'>;

/** One MBean for each meter of a set. */
const each = <M extends object, Kind extends BeanKind>(
  kind: Kind,
  set: MeterSet<M>,
  meterOf: (meters: M) => BeanMeters[Kind],
): Measured => ({
  kind,
  members: () =>
    set.all().map(({ labels, meter }) => ({ values: labels, attributes: () => attributesOf(kind, meterOf(meter)) })),
});

const only = <Kind extends BeanKind>(kind: Kind, meter: BeanMeters[Kind]): Measured => {
  const members = [{ values: [], attributes: () => attributesOf(kind, meter) }];
  return { kind, members: () => members };
};

/** A group whose name is the same in both dialects. */
const groupOf = (domain: BeanDomain, name: string, meaning: string, measured: Measured): BeanGroup => ({
  domain,
  name,
  meaning,
  ...measured,
});

const timerGroup = (domain: BeanDomain, name: string, meaning: string, timer: Timer): BeanGroup =>
  groupOf(domain, name, meaning, only('timer', timer));

interface CommandEntry {
  readonly name: string;
  readonly meaning: string;
  readonly one: (meters: CommandMeters) => Measured;
  readonly each: (set: MeterSet<CommandMeters>) => Measured;
}

const ofCommands = <Kind extends BeanKind>(
  name: string,
  kind: Kind,
  meaning: string,
  meter: (meters: CommandMeters) => BeanMeters[Kind],
): CommandEntry => ({
  name,
  meaning,
  one: (meters) => only(kind, meter(meters)),
  each: (set) => each(kind, set, meter),
});

/** There for each command and version, and for all together. */
const commandEntries: readonly CommandEntry[] = [
  ofCommands(
    'message-persistence-time',
    'timer',
    'time until the record of an accepted command is durable',
    ({ appendTime }) => appendTime,
  ),
  ofCommands('size', 'histogram', 'bytes of payloads as they came', ({ size }) => size),
  ofCommands('concurrent-depth', 'counter', 'commands that wait to become durable', ({ appending }) => appending),
  ofCommands('seen', 'meter', 'commands taken from the log', ({ seen }) => seen),
  ofCommands('processed', 'meter', 'commands applied to the tables', ({ processed }) => processed),
  ofCommands(
    'processing-time',
    'timer',
    'time of a batch, from its begin to its commit, divided by its commands',
    ({ processingTime }) => processingTime,
  ),
  ofCommands(
    'queue-time',
    'histogram',
    'seconds between the acceptance of a command and the begin of its batch',
    ({ queueTime }) => inSeconds(queueTime),
  ),
  ofCommands('fatal', 'meter', 'commands that became dead letters', ({ rejected }) => rejected),
  ofCommands('discarded', 'meter', 'the same as fatal', ({ rejected }) => rejected),
  ofCommands(
    'retried',
    'meter',
    'commands that were tried again because the database failed, once for each time',
    ({ retried }) => retried,
  ),
  ofCommands(
    'retry-counts',
    'histogram',
    'how often an applied command had been tried again',
    ({ retryCounts }) => retryCounts,
  ),
  ofCommands('awaiting-retry', 'counter', 'commands that wait for the database', ({ awaitingRetry }) => awaitingRetry),
  ofCommands(
    'ignored',
    'counter',
    'commands that changed nothing, because something newer was stored',
    ({ ignored }) => ignored,
  ),
  ofCommands(
    'invalidated',
    'counter',
    'commands that a newer command of the same batch replaced',
    ({ superseded }) => superseded,
  ),
];

/** The reference counts whole seconds there. */
function inSeconds(milliseconds: CommandMeters['queueTime']): BeanMeters['histogram'] {
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  return {
    get count() {
      return milliseconds.count;
    },
    statistics: () => {
      const statistics = milliseconds.statistics();
      return {
        count: statistics.count,
        min: seconds(statistics.min),
        max: seconds(statistics.max),
        mean: statistics.mean / 1_000,
        standardDeviation: statistics.standardDeviation / 1_000,
        percentiles: statistics.percentiles.map(seconds),
      };
    },
  };
}

function commandGroups({ commands, allCommands }: ServiceMeters): BeanGroup[] {
  return commandEntries.flatMap(({ name, meaning, one, each: eachOf }) => [
    { domain: 'mq', name: `global.${name}`, meaning, ...one(allCommands) },
    { domain: 'mq', name: `{command}.{version}.${name}`, meaning, ...eachOf(commands) },
  ]);
}

function poolGroups(name: string, neutralName: string, title: string, pool: PoolMeters): BeanGroup[] {
  const group = (item: string, meaning: string, measured: Measured): BeanGroup => ({
    domain: 'database',
    name: `${name}.pool.${item}`,
    neutralName: `${neutralName}.pool.${item}`,
    meaning: `${meaning} (${title})`,
    ...measured,
  });
  const gauge = (read: () => number): Measured => only('gauge', read);
  return [
    group(
      'ActiveConnections',
      'connections in use',
      gauge(() => pool.counts.active),
    ),
    group(
      'IdleConnections',
      'open connections that nobody uses',
      gauge(() => pool.counts.idle),
    ),
    group(
      'PendingConnections',
      'callers that wait for a connection',
      gauge(() => pool.counts.pending),
    ),
    group(
      'TotalConnections',
      'open connections',
      gauge(() => pool.counts.total),
    ),
    group(
      'MaxConnections',
      'most connections at once',
      gauge(() => pool.counts.max),
    ),
    group('Wait', 'time until a caller has a connection', only('timer', pool.waitTime)),
    group('Usage', 'milliseconds for which a connection is held', only('histogram', pool.usage)),
    group('ConnectionTimeoutRate', 'callers that got no connection', only('meter', pool.failures)),
  ];
}

/** The steps that PuppetDB measures, too. Its steps are those of one command; here one counts with its share. */
function stepGroups(steps: StepMeters): BeanGroup[] {
  const timer = (name: string, meaning: string, meter: Timer): BeanGroup => timerGroup('storage', name, meaning, meter);
  return [
    timerGroup('mq', 'global.command-parse-time', 'time to inflate, read and check a payload', steps.parse),
    timer(
      'replace-facts-time',
      'time of a `replace facts`, its share of the common steps included',
      steps.replaceFacts,
    ),
    timer('replace-catalog-time', 'the same of a `replace catalog`', steps.replaceCatalog),
    timer('store-report-time', 'the same of a `store report`', steps.storeReport),
    timer('new-fact-time', 'time to store the facts of a node that had none', steps.newFacts),
    timer('catalog-hash', 'time to hash a catalog, and to compare it with the stored one', steps.catalogHash),
    timer('catalog-hash-match-time', 'time to store a catalog whose content was stored already', steps.sameCatalog),
    timer(
      'catalog-hash-miss-time',
      'time to store a catalog that takes the place of another one',
      steps.changedCatalog,
    ),
    timer('new-catalog-time', 'time to store the catalog of a node that had none', steps.newCatalog),
    timer('add-resources', 'time to write the resources of a catalog', steps.addResources),
    timer('add-edges', 'time to write the edges of a catalog', steps.addEdges),
  ];
}

function cleaningGroups(cleanings: CleaningMeters): BeanGroup[] {
  const step = (times: string, counts: string, meaning: string, meter: Timer): BeanGroup[] => [
    timerGroup('admin', times, `time of a cleaning to ${meaning}`, meter),
    groupOf('admin', counts, 'how often that was done', only('counter', meter)),
  ];
  const collecting = (name: string, what: string, meter: Timer): BeanGroup =>
    timerGroup('storage', name, `time of a cleaning to remove ${what} that nothing refers to`, meter);
  return [
    groupOf(
      'admin',
      'cleaning',
      'what a cleaning under way was asked for; empty while there is none',
      only('gauge', () => cleanings.underWay),
    ),
    ...step(
      'node-expiration-time',
      'node-expirations',
      'let nodes expire and delete inactive ones',
      cleanings.of('apply_age_limits'),
    ),
    ...step(
      'node-purge-time',
      'node-purges',
      'let nodes expire and delete inactive ones',
      cleanings.of('apply_age_limits'),
    ),
    ...step('report-purge-time', 'report-purges', 'delete old reports and events', cleanings.of('purge_reports')),
    ...step(
      'resource-events-purge-time',
      'resource-event-purges',
      'delete old reports and events',
      cleanings.of('purge_reports'),
    ),
    ...step(
      'catalog-gc-time',
      'catalog-gcs',
      'remove contents of resources',
      cleanings.of('collect_resource_contents'),
    ),
    ...step('fact-path-gc-time', 'fact-path-gcs', 'remove paths of facts', cleanings.of('collect_fact_paths')),
    ...step('package-gc-time', 'package-gcs', 'remove packages', cleanings.of('collect_packages')),
    ...step('other-clean-time', 'other-cleans', 'remove everything else', cleanings.other),
    collecting('gc-time', 'everything but packages', cleanings.otherCollection),
    collecting('gc-params-time', 'contents of resources', cleanings.of('collect_resource_contents')),
    collecting('gc-environments-time', 'environments', cleanings.of('collect_environments')),
    collecting('gc-fact-paths', 'paths of facts', cleanings.of('collect_fact_paths')),
    collecting('gc-packages-time', 'packages', cleanings.of('collect_packages')),
  ];
}

const counter = (read: () => Promise<number | null>): BeanMeters['counter'] => ({
  get count() {
    return read();
  },
});

/** Every MBean that is made of meters. */
export function beanTable({ meters, stored }: BeanParts): readonly BeanGroup[] {
  const population = (name: string, meaning: string, value: (found: Population) => number): BeanGroup => {
    const read = async (): Promise<number | null> => {
      const found = await stored.population();
      return found === undefined ? null : value(found);
    };
    return groupOf('population', name, meaning, only('gauge', read));
  };
  const letters = (name: string, meaning: string, what: keyof WaitingLetters): BeanGroup => ({
    domain: 'dlo',
    name: `puppetlabs.puppetdb.dlo.global.${name}`,
    neutralName: `global.${name}`,
    meaning,
    ...only(
      'counter',
      counter(async () => (await stored.letters())?.[what] ?? null),
    ),
  });
  const { http, newCatalogs, duplicateCatalogs } = meters;
  return [
    population('num-nodes', 'nodes that are active', ({ activeNodes }) => activeNodes),
    population('num-active-nodes', 'the same as num-nodes', ({ activeNodes }) => activeNodes),
    population('num-inactive-nodes', 'nodes that are deactivated or expired', ({ inactiveNodes }) => inactiveNodes),
    population('num-resources', 'resources of all catalogs', ({ resources }) => resources),
    population('avg-resources-per-node', 'resources for each active node', ({ resources, activeNodes }) =>
      activeNodes === 0 ? 0 : resources / activeNodes,
    ),
    population(
      'pct-resource-dupes',
      'part of the resources that another catalog has as well, from 0 to 1',
      ({ resources, distinctResources }) => (resources === 0 ? 0 : Math.max(0, 1 - distinctResources / resources)),
    ),
    {
      domain: 'mq',
      name: 'global.depth',
      meaning: 'commands in the log that are not applied yet',
      ...only(
        'counter',
        counter(async () => {
          const lags = await stored.lag();
          return lags === undefined ? null : sum(lags.values());
        }),
      ),
    },
    ...commandGroups(meters),
    ...stepGroups(meters.steps),
    groupOf('storage', 'new-catalogs', 'catalogs whose content was stored', only('counter', newCatalogs)),
    groupOf(
      'storage',
      'duplicate-catalogs',
      'catalogs whose content was stored already',
      only('counter', duplicateCatalogs),
    ),
    groupOf(
      'storage',
      'duplicate-pct',
      'part of the catalogs that were duplicates, from 0 to 1',
      only('gauge', () => {
        const all = newCatalogs.count + duplicateCatalogs.count;
        return all === 0 ? 0 : duplicateCatalogs.count / all;
      }),
    ),
    ...cleaningGroups(meters.cleanings),
    ...poolGroups('PDBReadPool', 'ReadPool', 'queries', meters.readPool),
    ...poolGroups('PDBWritePool', 'WritePool', 'commands and maintenance', meters.writePool),
    letters('messages', 'dead letters that wait for a decision', 'letters'),
    letters('filesize', 'bytes of their payloads', 'bytes'),
    {
      domain: 'http',
      name: '{path}.service-time',
      meaning: 'time of requests at the path and below it',
      ...each('timer', http.timesBelow, (timer) => timer),
    },
    {
      domain: 'http',
      name: '{path}.{status}',
      meaning: 'answers with the status at the path and below it',
      ...each('meter', http.answersBelow, (rates) => rates),
    },
  ];
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

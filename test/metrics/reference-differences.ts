/**
 * Metrics of PuppetDB 7.12.1 that ours do not have, with reasons. docs/monitoring.md shows them, and the test that
 * compares both accepts no other difference.
 */
export interface ReferenceDifference {
  /** Names of MBeans. A name that ends with `*` matches all MBeans with this prefix. */
  readonly beans: readonly string[];
  /** Undefined: the whole MBean. */
  readonly attributes?: readonly string[];
  readonly reason: string;
}

const domain = 'puppetlabs.puppetdb';
const storage = (...names: readonly string[]): string[] => names.map((name) => `${domain}.storage:name=${name}`);
const java = 'java.lang';

export const referenceDifferences: readonly ReferenceDifference[] = [
  {
    beans: storage('catalog-volitilty'),
    reason:
      'the projector changes the rows of all catalogs of a batch together, so it does not know the number of changed rows of one catalog',
  },
  {
    beans: storage('resource-hashes'),
    reason:
      'the projector hashes each resource while it parses the catalog, so `command-parse-time` includes this time',
  },
  {
    beans: storage('gc-catalogs-time'),
    reason:
      'a new catalog of a node replaces the old catalog, so there are no old catalogs to remove. PuppetDB never changes this MBean',
  },
  {
    beans: storage('gc-report-statuses'),
    reason: 'nodeledger stores the status with the report. PuppetDB never changes this MBean',
  },
  {
    beans: ['PDBReadPool', 'PDBWritePool'].map((pool) => `${domain}.database:name=${pool}.pool.ConnectionCreation`),
    reason: 'the connection pool does not measure this time. `Wait` includes it',
  },
  {
    beans: ['PDBReadPool', 'PDBWritePool'].map((pool) => `${domain}.database:name=${pool}.pool.MinConnections`),
    reason: 'the pool has no minimum: it closes every connection that is unused for some time',
  },
  {
    beans: [`${java}:type=Memory`],
    attributes: ['ObjectPendingFinalizationCount', 'Verbose'],
    reason: 'a Node.js process does not have these values',
  },
  {
    beans: [`${java}:type=Threading`],
    attributes: [
      'AllThreadIds',
      'CurrentThreadAllocatedBytes',
      'CurrentThreadCpuTime',
      'CurrentThreadCpuTimeSupported',
      'CurrentThreadUserTime',
      'DaemonThreadCount',
      'ObjectMonitorUsageSupported',
      'SynchronizerUsageSupported',
      'ThreadAllocatedMemoryEnabled',
      'ThreadAllocatedMemorySupported',
      'ThreadContentionMonitoringEnabled',
      'ThreadContentionMonitoringSupported',
      'ThreadCpuTimeEnabled',
      'ThreadCpuTimeSupported',
      'TotalStartedThreadCount',
      'TotalThreadAllocatedBytes',
    ],
    reason: 'a Node.js process does not have these values',
  },
  {
    beans: [`${java}:type=Runtime`, `${java}:type=OperatingSystem`],
    reason: 'no known client reads them. `/metrics` has processor time, memory and version',
  },
  {
    beans: [
      `${java}:name=G1 Old Generation,type=GarbageCollector`,
      `${java}:name=G1 Young Generation,type=GarbageCollector`,
    ],
    attributes: ['LastGcInfo', 'MemoryPoolNames', 'Valid'],
    reason: 'a Node.js process does not have these values',
  },
];

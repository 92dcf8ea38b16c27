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
    reason: 'a batch changes the rows of all its catalogs together; how many belong to one is not known',
  },
  {
    beans: storage('resource-hashes'),
    reason: 'each resource is hashed when it has been read; `command-parse-time` contains it',
  },
  {
    beans: storage('gc-catalogs-time'),
    reason: 'a catalog takes the place of the one before it, so no old ones are left; the reference never counts there',
  },
  {
    beans: storage('gc-report-statuses'),
    reason: 'a status is stored with its report; the reference never counts there',
  },
  {
    beans: ['PDBReadPool', 'PDBWritePool'].map((pool) => `${domain}.database:name=${pool}.pool.ConnectionCreation`),
    reason: 'the pool does not tell how long it takes to open a connection; `Wait` contains it',
  },
  {
    beans: ['PDBReadPool', 'PDBWritePool'].map((pool) => `${domain}.database:name=${pool}.pool.MinConnections`),
    reason: 'no connection stays open when nobody needs it',
  },
  {
    beans: [`${java}:type=Memory`],
    attributes: ['ObjectPendingFinalizationCount', 'Verbose'],
    reason: 'a Node.js process has no such figure',
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
    reason: 'a Node.js process has no such figure',
  },
  {
    beans: [`${java}:type=Runtime`, `${java}:type=OperatingSystem`],
    reason: 'no known client reads them; `/metrics` has processor time, memory, start and version',
  },
  {
    beans: [
      `${java}:name=G1 Old Generation,type=GarbageCollector`,
      `${java}:name=G1 Young Generation,type=GarbageCollector`,
    ],
    attributes: ['LastGcInfo', 'MemoryPoolNames', 'Valid'],
    reason: 'a Node.js process has no such figure',
  },
];

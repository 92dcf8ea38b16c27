import { readdirSync } from 'node:fs';
import { arch, availableParallelism, freemem, hostname, loadavg, release, totalmem, type as systemName } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { type Attribute, type JsonValue, type MBean, ObjectName } from '#jolokia';
import type { ProcessFigures } from './process-figures';

type Values = Readonly<Record<string, readonly [type: string, read: () => JsonValue]>>;

const composite = 'javax.management.openmbean.CompositeData';
const long = 'long';
const text = 'java.lang.String';

/**
 * The MBeans of a Java process that dashboards read, with the figures of this process where it has such. Nothing of its
 * environment and arguments: they may hold passwords.
 */
export function javaBeans({ collections }: ProcessFigures): readonly MBean[] {
  const startedAt = Math.round(performance.timeOrigin);
  let mostThreads = 0;
  const threads = (): number => {
    const now = entries('/proc/self/task') ?? 1;
    mostThreads = Math.max(mostThreads, now);
    return now;
  };
  const collector = (name: string, kind: string): MBean =>
    bean(`name=${name},type=GarbageCollector`, 'sun.management.GarbageCollectorImpl', {
      Name: [text, () => name],
      CollectionCount: [long, () => collections.find(kind)?.count ?? 0],
      CollectionTime: [long, () => Math.round(collections.find(kind)?.sum ?? 0)],
    });
  return [
    bean('type=Memory', 'sun.management.MemoryImpl', {
      HeapMemoryUsage: [composite, heapUsage],
      NonHeapMemoryUsage: [composite, otherUsage],
    }),
    bean('type=Threading', 'sun.management.ThreadImpl', {
      ThreadCount: ['int', threads],
      PeakThreadCount: ['int', () => Math.max(threads(), mostThreads)],
    }),
    bean('type=Runtime', 'sun.management.RuntimeImpl', {
      Name: [text, () => `${process.pid}@${hostname()}`],
      Pid: [long, () => process.pid],
      StartTime: [long, () => startedAt],
      Uptime: [long, () => Math.round(performance.now())],
      VmName: [text, () => 'Node.js'],
      VmVendor: [text, () => 'OpenJS Foundation'],
      VmVersion: [text, () => process.version],
    }),
    bean('type=OperatingSystem', 'sun.management.OperatingSystemImpl', {
      Name: [text, systemName],
      Arch: [text, arch],
      Version: [text, release],
      AvailableProcessors: ['int', availableParallelism],
      SystemLoadAverage: ['double', () => loadavg()[0] ?? -1],
      TotalPhysicalMemorySize: [long, totalmem],
      FreePhysicalMemorySize: [long, freemem],
      TotalMemorySize: [long, totalmem],
      FreeMemorySize: [long, freemem],
      ProcessCpuTime: [long, cpuNanoseconds],
      OpenFileDescriptorCount: [long, () => entries('/proc/self/fd') ?? -1],
    }),
    // Dashboards know these two names.
    collector('G1 Young Generation', 'minor'),
    collector('G1 Old Generation', 'major'),
  ];
}

function bean(properties: string, className: string, values: Values): MBean {
  const name = ObjectName.parse(`java.lang:${properties}`);
  const attributes = new Map<string, Attribute>();
  for (const [attribute, [type, read]] of Object.entries(values)) {
    attributes.set(attribute, { type, description: attribute, read });
  }
  attributes.set('ObjectName', {
    type: 'javax.management.ObjectName',
    description: 'ObjectName',
    read: () => ({ objectName: String(name) }),
  });
  return { name, className, description: 'Information on the management interface of the MBean', attributes };
}

/** Bytes. */
function heapUsage(): JsonValue {
  const { used_heap_size, total_heap_size, heap_size_limit } = getHeapStatistics();
  return { init: 0, committed: total_heap_size, max: heap_size_limit, used: used_heap_size };
}

/** Bytes that the process has beside the heap of its main thread, its other threads among them. */
function otherUsage(): JsonValue {
  const { rss, heapTotal, external } = process.memoryUsage();
  return { init: 0, committed: Math.max(0, rss - heapTotal), max: -1, used: external };
}

function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** How many entries a folder has; undefined where the system has none of that name. */
function entries(folder: string): number | undefined {
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}

import { readdirSync } from 'node:fs';
import { type Attribute, type JsonValue, type MBean, ObjectName } from '#jolokia';
import type { Timer } from '#metrics';
import type { ThreadMeters } from './thread-meters';
import type { ThreadFigures } from './thread-probe';

type Values = Readonly<Record<string, readonly [type: string, read: () => JsonValue]>>;

const composite = 'javax.management.openmbean.CompositeData';
const long = 'long';
const text = 'java.lang.String';

/** Returns the MBeans of a Java process that known clients read. Their values describe this process and its threads. */
export function javaBeans(threads: readonly ThreadMeters[]): readonly MBean[] {
  let mostThreads = 0;
  const threadCount = (): number => {
    const now = entries('/proc/self/task') ?? 1;
    mostThreads = Math.max(mostThreads, now);
    return now;
  };
  const sum = (of: (figures: ThreadFigures) => number): number =>
    threads.reduce((total, thread) => {
      const figures = thread.figures();
      return figures === undefined ? total : total + of(figures);
    }, 0);
  const heapUsage = (): JsonValue => ({
    init: 0,
    committed: sum(({ heap }) => heap.total),
    max: sum(({ heap }) => heap.limit),
    used: sum(({ heap }) => heap.used),
  });
  const otherUsage = (): JsonValue => ({
    init: 0,
    committed: Math.max(0, process.memoryUsage.rss() - sum(({ heap }) => heap.total)),
    max: -1,
    used: sum(({ heap }) => heap.external),
  });
  const collected = (kind: string, of: (timer: Timer) => number): number =>
    threads.reduce((total, { collections }) => {
      const timer = collections.find(kind);
      return timer === undefined ? total : total + of(timer);
    }, 0);
  const collector = (name: string, kind: string): MBean =>
    bean(`name=${name},type=GarbageCollector`, 'sun.management.GarbageCollectorImpl', {
      Name: [text, () => name],
      CollectionCount: [long, () => collected(kind, ({ count }) => count)],
      CollectionTime: [long, () => Math.round(collected(kind, ({ sum: ms }) => ms))],
    });
  return [
    bean('type=Memory', 'sun.management.MemoryImpl', {
      HeapMemoryUsage: [composite, heapUsage],
      NonHeapMemoryUsage: [composite, otherUsage],
    }),
    bean('type=Threading', 'sun.management.ThreadImpl', {
      ThreadCount: ['int', threadCount],
      PeakThreadCount: ['int', () => Math.max(threadCount(), mostThreads)],
    }),
    // Dashboards read the garbage collectors by these Java names.
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

function entries(folder: string): number | undefined {
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}

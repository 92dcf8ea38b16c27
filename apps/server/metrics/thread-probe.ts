import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const resolutionMs = 20;
const windowMs = 60_000;

/** In milliseconds. */
interface LoopDelay {
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
}

export interface ThreadFigures {
  /** In bytes. `external` is the size of all Buffers, which are outside of the heap. */
  readonly heap: { readonly used: number; readonly total: number; readonly limit: number; readonly external: number };
  /** Time that the event loop was busy since the thread started. */
  readonly busyMs: number;
  readonly loopDelay: LoopDelay;
}

export type Collection = readonly [kind: string, ms: number];

const none: LoopDelay = { mean: 0, p99: 0, max: 0 };
const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak-callbacks',
};

/** Reads figures of the thread in which the object is created. */
export class ThreadProbe {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  private readonly observer: PerformanceObserver;
  private lastMinute = none;
  private timer: NodeJS.Timeout | undefined;

  constructor(onCollection: (...collection: Collection) => void) {
    this.observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind } = (entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } }).detail ?? {};
        onCollection(kinds[kind ?? 0] ?? 'other', entry.duration);
      }
    });
  }

  start(): void {
    this.delay.enable();
    this.observer.observe({ entryTypes: ['gc'] });
    this.timer = setInterval(() => {
      this.lastMinute = this.readDelay();
      this.delay.reset();
    }, windowMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.observer.disconnect();
    this.delay.disable();
  }

  read(): ThreadFigures {
    const { used_heap_size, total_heap_size, heap_size_limit, external_memory } = getHeapStatistics();
    return {
      heap: { used: used_heap_size, total: total_heap_size, limit: heap_size_limit, external: external_memory },
      busyMs: performance.eventLoopUtilization().active,
      loopDelay: this.loopDelay(),
    };
  }

  /**
   * Returns the larger of the values in the current minute and in the previous minute, so that a client that reads once
   * a minute sees every long delay.
   */
  private loopDelay(): LoopDelay {
    const [now, before] = [this.readDelay(), this.lastMinute];
    const larger = (key: keyof LoopDelay): number => Math.max(now[key], before[key]);
    return { mean: larger('mean'), p99: larger('p99'), max: larger('max') };
  }

  /** Node.js measures the time between two timer events, so the interval of the timer is subtracted. */
  private readDelay(): LoopDelay {
    if (this.delay.count === 0) return none;
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return { mean: ms(this.delay.mean), p99: ms(this.delay.percentile(99)), max: ms(this.delay.max) };
  }
}

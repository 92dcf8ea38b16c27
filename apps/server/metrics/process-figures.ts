import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { MeterSet, Timer } from '#metrics';

const resolutionMs = 20;
const windowMs = 60_000;

/** Milliseconds by which the event loop was late. */
export interface LoopDelay {
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
}

const none: LoopDelay = { mean: 0, p99: 0, max: 0 };
const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak-callbacks',
};

/** What the runtime tells about this process's main thread. */
export class ProcessFigures {
  /** By kind. */
  readonly collections = new MeterSet(['kind'], () => new Timer());
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  private readonly observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } }).detail ?? {};
      this.collections.of(kinds[kind ?? 0] ?? 'other').record(entry.duration);
    }
  });
  private lastMinute = none;
  private turn: NodeJS.Timeout | undefined;

  start(): void {
    this.collections.of('minor');
    this.collections.of('major');
    this.delay.enable();
    this.observer.observe({ entryTypes: ['gc'] });
    this.turn = setInterval(() => {
      this.lastMinute = this.read();
      this.delay.reset();
    }, windowMs).unref();
  }

  stop(): void {
    clearInterval(this.turn);
    this.observer.disconnect();
    this.delay.disable();
  }

  /** Of this minute and the one before it: whoever asks once a minute misses nothing. */
  loopDelay(): LoopDelay {
    const [now, before] = [this.read(), this.lastMinute];
    const larger = (key: keyof LoopDelay): number => Math.max(now[key], before[key]);
    return { mean: larger('mean'), p99: larger('p99'), max: larger('max') };
  }

  /** The timer itself counts as what it should take. */
  private read(): LoopDelay {
    if (this.delay.count === 0) return none;
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return { mean: ms(this.delay.mean), p99: ms(this.delay.percentile(99)), max: ms(this.delay.max) };
  }
}

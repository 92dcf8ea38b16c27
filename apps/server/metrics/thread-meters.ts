import { MeterSet, Timer } from '#metrics';
import { type Collection, type ThreadFigures, ThreadProbe } from './thread-probe';

export interface ThreadMeters {
  readonly name: string;
  readonly collections: MeterSet<Timer>;
  /** Returns undefined if the thread is not running. */
  figures(): ThreadFigures | undefined;
}

const newCollections = (): MeterSet<Timer> => new MeterSet(['kind'], () => new Timer());

/** Creates the usual meters early, so that metrics show zeros before the first collection. */
function showUsual(collections: MeterSet<Timer>): void {
  collections.of('minor');
  collections.of('major');
}

export class MainThreadMeters implements ThreadMeters {
  readonly name = 'main';
  readonly collections = newCollections();
  private readonly probe = new ThreadProbe((kind, ms) => this.collections.of(kind).record(ms));

  start(): void {
    showUsual(this.collections);
    this.probe.start();
  }

  stop(): void {
    this.probe.stop();
  }

  figures(): ThreadFigures {
    return this.probe.read();
  }
}

/** When a new thread replaces an ended thread, the counters continue at their earlier values. */
export class ProjectorThreadMeters implements ThreadMeters {
  readonly collections = newCollections();
  private latest: ThreadFigures | undefined;
  private busyBeforeMs = 0;

  constructor(readonly name = 'projector') {}

  update(figures: ThreadFigures, collections: readonly Collection[]): void {
    showUsual(this.collections);
    this.latest = { ...figures, busyMs: this.busyBeforeMs + figures.busyMs };
    for (const [kind, ms] of collections) this.collections.of(kind).record(ms);
  }

  ended(): void {
    this.busyBeforeMs = this.latest?.busyMs ?? this.busyBeforeMs;
    this.latest = undefined;
  }

  figures(): ThreadFigures | undefined {
    return this.latest;
  }
}

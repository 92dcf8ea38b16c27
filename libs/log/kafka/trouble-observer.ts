import { Fault } from '#fault';

export interface LogTrouble {
  readonly since: number;
  readonly fault: Fault;
  /** Partitions to which appends fail. Empty if no broker answers or if a reader fails. */
  readonly partitions: readonly number[];
}

interface Failing {
  readonly since: number;
  readonly began: number;
  last: number;
  lasting: boolean;
  fault: Fault;
}

/** Shorter failures happen when a broker restarts and other brokers become leaders. */
const lastingMs = 2_000;
/** After this time without a failure, the next failure counts as a new one. Must exceed the duration of one attempt. */
const forgetAfterMs = 30_000;

export class TroubleObserver {
  private readonly failing = new Map<unknown, Failing>();
  private reported = '';

  constructor(
    private readonly topic: string,
    private readonly report: ((trouble: LogTrouble | undefined) => void) | undefined,
    private readonly lastMs = lastingMs,
    private readonly forgetMs = forgetAfterMs,
  ) {}

  /** `what` is the partition to which an append failed, or the cursor of a reader that failed. */
  failed(what: unknown, fault: Fault): void {
    const now = performance.now();
    let failing = this.failing.get(what);
    if (failing === undefined || (!failing.lasting && now - failing.last > this.forgetMs)) {
      failing = { since: Date.now(), began: now, last: now, lasting: false, fault };
      this.failing.set(what, failing);
    }
    failing.fault = fault;
    failing.last = now;
    if (failing.lasting || now - failing.began < this.lastMs) return;
    failing.lasting = true;
    this.update();
  }

  succeeded(what: unknown): void {
    if (this.failing.size === 0 || !this.failing.delete(what)) return;
    this.update();
  }

  /**
   * Must be called when no append to the partition waits any more. Otherwise the observer could count the close of an
   * idle connection as a further failure.
   */
  rested(partition: number): void {
    if (this.failing.get(partition)?.lasting === false) this.failing.delete(partition);
  }

  partitions(): ReadonlyMap<number, Fault> {
    const partitions = new Map<number, Fault>();
    for (const [what, { fault }] of this.failing) if (typeof what === 'number') partitions.set(what, fault);
    return partitions;
  }

  private update(): void {
    const lasting = [...this.failing].filter(([, failing]) => failing.lasting);
    const partitions = lasting.map(([what]) => what).filter((what) => typeof what === 'number');
    const now = lasting.length === 0 ? '' : `${lasting.length - partitions.length}/${partitions.sort((a, b) => a - b)}`;
    if (now === this.reported) return;
    this.reported = now;
    if (now === '') return this.report?.(undefined);
    const since = Math.min(...lasting.map(([, failing]) => failing.since));
    const faults = lasting.map(([, { fault }]) => fault);
    const first = faults.find(({ code }) => code === 'log.unreachable') ?? faults[0];
    if (first === undefined) return;
    const isWhole = first.code === 'log.unreachable' || partitions.length < lasting.length;
    this.report?.({ since, fault: this.summary(partitions, first), partitions: isWhole ? [] : partitions });
  }

  private summary(partitions: readonly number[], first: Fault): Fault {
    if (first.code === 'log.unreachable' || partitions.length < 2) return first;
    const what = `partitions ${partitions.join(', ')} of topic ${this.topic} cannot be written`;
    return new Fault('busy', 'log.unavailable', `${what}: ${first.message}`, {
      ...(first.hint !== undefined && { hint: first.hint }),
      cause: first,
    });
  }
}

import { Fault } from '#fault';

/** Why the log cannot be written or read at the moment. */
export interface LogTrouble {
  /** Epoch milliseconds of the first failure. */
  readonly since: number;
  /** A `busy` fault; its message names the brokers, or the topic and the partitions, and its hint says what to do. */
  readonly fault: Fault;
  /** The partitions that cannot be written if the other partitions work; empty if the whole log is unavailable. */
  readonly partitions: readonly number[];
}

interface Failing {
  readonly since: number;
  readonly began: number;
  last: number;
  /** It has failed for long enough to be reported. */
  lasting: boolean;
  fault: Fault;
}

/** Shorter failures are not reported. Partition leaders move whenever a broker is restarted. */
const lastingMs = 2_000;
/** A failure this long after the previous one starts a new count. Must be longer than an attempt takes. */
const forgetAfterMs = 30_000;

/**
 * Reports an unavailable log once it has been failing for two seconds, again when the affected partitions change, and once
 * when it has recovered. Single attempts are not reported.
 */
export class TroubleObserver {
  private readonly failing = new Map<unknown, Failing>();
  private reported = '';

  constructor(
    private readonly topic: string,
    private readonly report: ((trouble: LogTrouble | undefined) => void) | undefined,
    private readonly lastMs = lastingMs,
    private readonly forgetMs = forgetAfterMs,
  ) {}

  /** `what` is the number of a partition to which appends fail, or the cursor of a reader. */
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
   * Call this when no more appends to the partition wait. Forgets its failures if they were too short to report: the next
   * failure may only be a connection that was closed while it was idle.
   */
  rested(partition: number): void {
    if (this.failing.get(partition)?.lasting === false) this.failing.delete(partition);
  }

  /** Returns the partitions to which appends fail, with the last fault of each. */
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

  /** Returns a fault that names all failing partitions. */
  private summary(partitions: readonly number[], first: Fault): Fault {
    if (first.code === 'log.unreachable' || partitions.length < 2) return first;
    const what = `partitions ${partitions.join(', ')} of topic ${this.topic} cannot be written`;
    return new Fault('busy', 'log.unavailable', `${what}: ${first.message}`, {
      ...(first.hint !== undefined && { hint: first.hint }),
      cause: first,
    });
  }
}

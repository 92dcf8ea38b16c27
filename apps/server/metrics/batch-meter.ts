import type { LogRecord } from '#log';
import { Stopwatch } from '#metrics';
import type { BatchStep, RecordOutcome } from '#projections';
import type { BatchFigures, CommandFigures } from './batch-figures';

type Figures = { -readonly [Key in keyof CommandFigures]: CommandFigures[Key] } & { queueMs: number[] };

export class BatchMeter {
  private records: readonly LogRecord[] = [];
  private begunAt = 0;
  private retries = 0;
  /**
   * The first record of the current batch. If the next batch begins with the same record, the next batch is a retry.
   */
  private first: LogRecord | undefined;
  private firstBegunAt = 0;
  private readonly steps: Stopwatch<BatchStep>;

  /** `now` returns milliseconds since 1970, and `clock` returns milliseconds of a monotonic clock. */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.steps = new Stopwatch(clock);
  }

  begin(records: readonly LogRecord[]): void {
    this.records = records;
    this.steps.begin();
    if (this.first === records[0]) return;
    [this.first] = records;
    this.begunAt = this.clock();
    this.firstBegunAt = this.now();
    this.retries = 0;
  }

  did(step: BatchStep): void {
    this.steps.did(step);
  }

  retried(): readonly CommandFigures[] {
    this.retries += 1;
    return this.sum(this.records, []);
  }

  /** `outcomes` has one outcome for each committed record. The committed records are the first records of the batch. */
  committed(outcomes: readonly RecordOutcome[]): BatchFigures {
    const figures: BatchFigures = {
      ms: this.clock() - this.begunAt,
      retries: this.retries,
      commands: this.sum(this.records.slice(0, outcomes.length), outcomes),
      steps: this.steps.times,
    };
    this.records = this.records.slice(outcomes.length);
    this.first = undefined;
    return figures;
  }

  private sum(records: readonly LogRecord[], outcomes: readonly RecordOutcome[]): readonly CommandFigures[] {
    const sums = new Map<string, Map<number, Figures>>();
    records.forEach(({ command, version, receivedAt }, at) => {
      let versions = sums.get(command);
      if (versions === undefined) sums.set(command, (versions = new Map()));
      let sum = versions.get(version);
      if (sum === undefined) versions.set(version, (sum = none(command, version)));
      const outcome = outcomes[at];
      if (outcome === 'rejected') sum.rejected += 1;
      else sum.processed += 1;
      if (outcome !== undefined && outcome !== 'rejected' && outcome !== 'applied') sum[outcome] += 1;
      sum.queueMs.push(Math.max(0, this.firstBegunAt - receivedAt));
    });
    return [...sums.values()].flatMap((versions) => [...versions.values()]);
  }
}

const none = (command: string, version: number): Figures => ({
  command,
  version,
  processed: 0,
  rejected: 0,
  ignored: 0,
  superseded: 0,
  added: 0,
  unchanged: 0,
  queueMs: [],
});

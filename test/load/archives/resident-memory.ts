/** Samples the resident memory of one process. Linux only. */
import { processMegabytes } from '../../support/process-memory';

const intervalMs = 100;

export interface MemoryFigures {
  /** Megabytes: the peak before `begin`. */
  readonly before: number;
  /** Megabytes: the peak since `begin`. */
  readonly peak: number;
}

export class ResidentMemory {
  private samples: number[] = [];
  private before: number | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.sample(), intervalMs);
    this.sample();
  }

  /** Earlier samples describe the state before. Compare two peaks, because a peak is always above a median. */
  begin(): void {
    this.sample();
    this.before = Math.max(...this.samples);
    this.samples = [];
  }

  end(): MemoryFigures {
    this.sample();
    this.stop();
    if (this.before === undefined) throw new Error('the measurement has not begun');
    return { before: this.before, peak: Math.max(...this.samples) };
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    this.samples.push(processMegabytes(this.pid, 'VmRSS'));
  }
}

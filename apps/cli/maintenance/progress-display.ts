import { Presets, SingleBar } from 'cli-progress';
import { showByteSize } from '#config';
import type { ReplayProgress } from '#projections';
import { formatCount, formatDuration } from '../amounts';
import { onLines } from '../on-one-line';
import { isStartedByService } from '../started-by-service';
import { StepClock, type StepProgress } from './step-clock';

const barMs = 100;
const lineMs = 5_000;
const sendMs = 500;

/**
 * Shows progress on standard error: as a bar on a terminal, otherwise as a line every few seconds. If the service has
 * started this process, sends the progress to the service instead.
 */
export class ProgressDisplay {
  private readonly clock = new StepClock(performance.now());
  private readonly bar = process.stderr.isTTY
    ? new SingleBar(
        { format: '{step} {bar} {percentage}% {pace}', stream: process.stderr, gracefulExit: false, hideCursor: true },
        Presets.shades_classic,
      )
    : undefined;
  private barShown = false;
  private shownAt = -Infinity;
  private lineAt = performance.now();

  readonly show = (progress: ReplayProgress): void => {
    if (progress.total === 0) return;
    const now = performance.now();
    const step = this.clock.update(progress, now);
    if (isStartedByService()) this.send(step, now);
    else if (this.bar === undefined) this.line(step, now);
    else this.draw(this.bar, step, now);
  };

  readonly say = (message: string): void => {
    const text = onLines(message);
    process.stderr.write(this.barShown ? `\r\u001b[K${text}\n` : `${text}\n`);
  };

  end(): void {
    if (this.barShown) this.bar?.stop();
    this.barShown = false;
  }

  private send(progress: StepProgress, now: number): void {
    if (!progress.begins && progress.done < progress.total && now - this.shownAt < sendMs) return;
    this.shownAt = now;
    // Ignores the error of a closed channel, because the work then stops anyway.
    process.send?.(progress, () => undefined);
  }

  private line(progress: StepProgress, now: number): void {
    if (now - this.lineAt < lineMs) return;
    this.lineAt = now;
    this.say(progressLine(progress));
  }

  private draw(bar: SingleBar, progress: StepProgress, now: number): void {
    const payload = { step: progress.step, pace: paceOf(progress) };
    if (progress.begins) {
      this.end();
      bar.start(progress.total, progress.done, payload);
      this.barShown = true;
    } else if (now - this.shownAt >= barMs || progress.done === progress.total) {
      bar.update(progress.done, payload);
    } else return;
    this.shownAt = now;
  }
}

export const progressLine = (progress: StepProgress): string => `${progress.step}: ${paceOf(progress)}`;

function paceOf({ done, total, unit, perSecond, seconds, secondsLeft }: StepProgress): string {
  const show = unit === 'bytes' ? showByteSize : formatCount;
  const parts = [`${show(done)} of ${show(total)}${unit === 'bytes' ? '' : ` ${unit}`}`];
  if (unit === 'records' && perSecond > 0) parts.push(`${formatCount(perSecond)} records/s`);
  if (done >= total) parts.push(`took ${formatDuration(seconds)}`);
  else if (secondsLeft !== undefined) parts.push(`${formatDuration(secondsLeft)} left`);
  return parts.join(', ');
}

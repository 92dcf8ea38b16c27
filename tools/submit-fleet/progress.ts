import { Format, Presets, SingleBar } from 'cli-progress';

export interface Progress {
  step(): void;
  /** A line that stays above the bar. */
  say(line: string): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line at every tenth. */
export function showProgress(total: number, what: string): Progress {
  if (!process.stdout.isTTY) {
    let done = 0;
    return {
      step: () => {
        done++;
        if (Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total)) say(`${done} of ${total} ${what}`);
      },
      say,
      end: () => undefined,
    };
  }
  const bar = new SingleBar(
    {
      format: `{bar} {percentage}% {value}/{total} ${what}{eta_formatted}`,
      // The estimate is 0 before the first step and after the last one.
      formatTime: (seconds, options, multiple) =>
        seconds === 0 ? '' : `, ${Format.TimeFormat(seconds, options, multiple)} left`,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return {
    step: () => bar.increment(),
    say: (line) => process.stdout.write(`\r\u001b[K${line}\n`),
    end: () => bar.stop(),
  };
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

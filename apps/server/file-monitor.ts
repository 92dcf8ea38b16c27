import { stat } from 'node:fs/promises';
import type { AlertCode, Alerts, Log } from '#observe';
import { RepeatedTask } from './repeated-task';

/** Files that are read together, such as a certificate and its key. */
interface WatchedFiles {
  /** Name of the files in messages, such as "the files of HTTPS". */
  readonly what: string;
  readonly paths: readonly string[];
  readonly alert: AlertCode;
  /** Returns whether the content has changed. If `reload` throws, the previous content must stay in use. */
  reload(): Promise<boolean>;
}

interface FileMonitorOptions {
  readonly alerts: Alerts;
  readonly log: Log;
  /**
   * Whether SIGHUP reloads the files. Must be false in a terminal, because a closing terminal sends SIGHUP to end its
   * programs.
   */
  readonly onHangup: boolean;
  readonly intervalMs?: number;
}

/**
 * Reloads files that have changed. First waits until the files stay unchanged for one interval, because somebody may
 * still be copying them. SIGHUP reloads all files immediately.
 */
export class FileMonitor {
  private readonly watched: Watched[] = [];
  private readonly task: RepeatedTask;
  private readonly onHangup = (): void => this.watched.forEach((files) => void files.reload());

  constructor(private readonly options: FileMonitorOptions) {
    this.task = new RepeatedTask(
      options.intervalMs ?? 2_000,
      async () => {
        for (const files of this.watched) await files.look();
      },
      (err) => options.log.error({ err }, 'the files that the settings name could not be looked at'),
    );
  }

  add(files: WatchedFiles): void {
    this.watched.push(new Watched(files, this.options));
    this.task.start();
    // Node.js ends a process on SIGHUP unless a listener exists. A service without files keeps this default.
    if (this.options.onHangup && this.watched.length === 1) process.on('SIGHUP', this.onHangup);
  }

  async stop(): Promise<void> {
    process.off('SIGHUP', this.onHangup);
    await this.task.stop();
    await Promise.all(this.watched.map((files) => files.ended()));
  }
}

class Watched {
  /** Results of `looks` at the last reload (`read`) and at the last check (`seen`). */
  private read = '';
  private seen = '';
  private isFaulty = false;
  private reloading: Promise<void> = Promise.resolve();

  constructor(
    private readonly files: WatchedFiles,
    private readonly options: FileMonitorOptions,
  ) {}

  async look(): Promise<void> {
    const now = await looks(this.files.paths);
    const isSettled = now === this.seen;
    this.seen = now;
    // Reads faulty files again even if they are unchanged, because a certificate can reach its start time, and an
    // operator can correct permissions.
    if (isSettled && (now !== this.read || this.isFaulty)) await this.reload();
  }

  reload(): Promise<void> {
    return (this.reloading = this.reloading.then(() => this.readAgain()));
  }

  ended(): Promise<void> {
    return this.reloading;
  }

  private async readAgain(): Promise<void> {
    const { what, paths, alert } = this.files;
    const { alerts, log } = this.options;
    this.read = await looks(paths);
    try {
      const isNew = await this.files.reload();
      this.isFaulty = false;
      alerts.clear(alert);
      if (isNew) log.info(`The new content of ${what} is in use.`);
    } catch (error) {
      this.isFaulty = true;
      const { message, hint } = error as Error & { hint?: string };
      alerts.raise(alert, {
        message: `The new content of ${what} is invalid: ${message.replace(/([^.?])$/, '$1.')}`,
        effect: 'The previous content stays in use.',
        ...(hint === undefined ? {} : { hint }),
      });
    }
  }
}

/** Returns a text that changes when a file is written, replaced or removed. */
async function looks(paths: readonly string[]): Promise<string> {
  const each = paths.map(async (path) => {
    const found = await stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => error.code);
    return typeof found === 'object' ? [found.mtimeNs, found.ctimeNs, found.size, found.ino].join(' ') : found;
  });
  return (await Promise.all(each)).join('\n');
}

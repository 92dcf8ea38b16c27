import { stat } from 'node:fs/promises';
import type { AlertCode, Alerts, Log } from '#observe';
import { RepeatedTask } from './repeated-task';

/** Files that belong together. */
interface WatchedFiles {
  /** Name in messages, such as "the files of HTTPS". */
  readonly what: string;
  readonly paths: readonly string[];
  /** Active while the changed files are invalid. */
  readonly alert: AlertCode;
  /**
   * Reads the files and puts them in use. Returns whether they have changed. If it throws, it must not have changed
   * anything.
   */
  reload(): Promise<boolean>;
}

interface FileMonitorOptions {
  readonly alerts: Alerts;
  readonly log: Log;
  /**
   * Whether SIGHUP makes the service read the files. When a terminal is closed, it sends SIGHUP to end its programs.
   */
  readonly onHangup: boolean;
  /** Default: two seconds. */
  readonly intervalMs?: number;
}

/**
 * Checks files at intervals. Reads changed files when they have stayed the same for one interval, because somebody may
 * be copying several of them. SIGHUP makes the service read all files at once.
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
    // Without a file to read, SIGHUP ends the process, as it does by default.
    if (this.options.onHangup && this.watched.length === 1) process.on('SIGHUP', this.onHangup);
  }

  async stop(): Promise<void> {
    process.off('SIGHUP', this.onHangup);
    await this.task.stop();
    await Promise.all(this.watched.map((files) => files.ended()));
  }
}

class Watched {
  /** State of the files when they were last read, and at the last check. */
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
    // A file may become valid without a change to its content: a certificate reaches its start time, or an operator
    // corrects the permissions.
    if (isSettled && (now !== this.read || this.isFaulty)) await this.reload();
  }

  /** Reloads all files, one group after the other. */
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

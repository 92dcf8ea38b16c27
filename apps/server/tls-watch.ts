import { stat } from 'node:fs/promises';
import { type Alerts, type Log } from '#observe';
import { type Allowlist, expiries, type ServerTls } from '#security';
import { RepeatedTask } from './repeated-task';

export interface TlsWatchOptions {
  readonly tls: ServerTls;
  readonly allowlist: Allowlist | undefined;
  /** Paths of everything that both read. */
  readonly files: readonly string[];
  /** How long before something ends its alert begins. */
  readonly expiryAlertMs: number;
  readonly alerts: Alerts;
  readonly log: Log;
  /** Whether SIGHUP has the files read. A terminal that is closed sends it to end what runs there. */
  readonly onHangup: boolean;
  /** Default: two seconds. */
  readonly intervalMs?: number;
}

/**
 * Looks at the files of HTTPS again and again, and has them read when they have changed and then stayed the same for one
 * interval: whoever copies several files is to be done. SIGHUP has them read at once.
 */
export class TlsWatch {
  private readonly task: RepeatedTask;
  private readonly intervalMs: number;
  /** How the files looked when they were read last, and at the last look. */
  private read = '';
  private seen = '';
  private hasFault = false;
  private reloading: Promise<void> = Promise.resolve();
  private readonly onHangup = (): void => void this.reload();

  constructor(private readonly options: TlsWatchOptions) {
    this.intervalMs = options.intervalMs ?? 2_000;
    this.task = new RepeatedTask(
      this.intervalMs,
      () => this.look(),
      (err) => options.log.error({ err }, 'the files of HTTPS could not be looked at'),
    );
  }

  start(): void {
    if (this.options.onHangup) process.on('SIGHUP', this.onHangup);
    this.lookAtTimes();
    this.task.start();
  }

  async stop(): Promise<void> {
    process.off('SIGHUP', this.onHangup);
    await this.task.stop();
    await this.reloading;
  }

  private async look(): Promise<void> {
    const now = await looks(this.options.files);
    const isSettled = now === this.seen;
    this.seen = now;
    // What has a fault may become good by itself: in time, or when its rights are corrected.
    if (isSettled && (now !== this.read || this.hasFault)) await this.reload();
    this.options.tls.dropUntrusted();
    this.lookAtTimes();
  }

  /** One after the other. */
  private reload(): Promise<void> {
    return (this.reloading = this.reloading.then(() => this.readAgain()));
  }

  private async readAgain(): Promise<void> {
    const { tls, allowlist, files, alerts, log } = this.options;
    this.read = await looks(files);
    try {
      const isNew = await tls.reload();
      await allowlist?.reload();
      this.hasFault = false;
      alerts.clear('tls.files');
      if (isNew) log.info('The files of HTTPS have changed and are in use.');
    } catch (error) {
      this.hasFault = true;
      const { message, hint } = error as Error & { hint?: string };
      alerts.raise('tls.files', {
        message: `The files of HTTPS have changed, but they cannot be used: ${message}`,
        effect: 'The files as they were before stay in use.',
        ...(hint === undefined ? {} : { hint }),
      });
    }
  }

  private lookAtTimes(): void {
    const { tls, alerts, expiryAlertMs } = this.options;
    const now = Date.now();
    const [soonest] = expiries(tls.material);
    if (soonest === undefined || soonest.at - now > expiryAlertMs) {
      alerts.clear('tls.expiry');
      return;
    }
    const { what, at } = soonest;
    const isOver = at <= now;
    alerts.raise('tls.expiry', {
      severity: isOver ? 'error' : 'warning',
      message: `HTTPS: ${what} ${isOver ? 'ended' : 'ends'} at ${new Date(at).toISOString()}.`,
      effect: isOver ? 'Connections over TLS fail.' : 'Connections over TLS will fail from then on.',
      hint: 'Renew it and copy the new file to where the old one is; no restart is needed.',
    });
  }
}

/** Changes when a file is written, replaced or removed. */
async function looks(files: readonly string[]): Promise<string> {
  const each = files.map(async (path) => {
    const found = await stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => error.code);
    return typeof found === 'object' ? [found.mtimeNs, found.ctimeNs, found.size, found.ino].join(' ') : found;
  });
  return (await Promise.all(each)).join('\n');
}

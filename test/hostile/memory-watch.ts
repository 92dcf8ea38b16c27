/** Measures the memory of the service and its PostgreSQL once a second. */
import { readdirSync, readFileSync } from 'node:fs';
import { megabytesIn, type MemoryField } from '../support/process-memory';

const intervalMs = 1_000;

/** A process that is ending, or a kernel process, has no such field. */
const megabytes = (status: string, field: MemoryField): number => megabytesIn(status, field) || 0;

function statusOf(pid: number | string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

export class MemoryWatch {
  /** Peak memory, megabytes. For PostgreSQL: the private memory of its processes, and the shared memory separately. */
  service = 0;
  postgres = 0;
  postgresShared = 0;
  /** Every tenth measurement of the service, for the table of figures. */
  readonly course: number[] = [];
  /** Number of measurements without a running process. */
  gone = 0;
  private looks = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly pid: number,
    private readonly postmaster: number,
  ) {
    this.timer = setInterval(() => this.look(), intervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const status = statusOf(this.pid);
    if (status === undefined) {
      this.gone++;
      return;
    }
    const now = megabytes(status, 'VmRSS');
    this.service = Math.max(this.service, now);
    if (this.looks++ % 10 === 0) this.course.push(Math.round(now));
    let own = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const other = statusOf(pid);
      if (other === undefined) continue;
      if (Number(pid) !== this.postmaster && !new RegExp(`^PPid:\\s+${this.postmaster}$`, 'm').test(other)) continue;
      own += megabytes(other, 'RssAnon');
      this.postgresShared = Math.max(this.postgresShared, megabytes(other, 'RssShmem'));
    }
    this.postgres = Math.max(this.postgres, own);
  }
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Completions } from '#commands';
import { Fault } from '#fault';
import { CommandLog, type Position } from '#log';

export interface MaintenanceRecord {
  /** Determines the partition of the record. */
  readonly certname: string;
  readonly command: string;
  readonly version: number;
  readonly payload: string;
}

/**
 * Longest time that `apply` waits. Records that the projectors have not applied by then stay in the log, and are
 * applied later.
 */
const longestWaitMs = 600_000;

@Injectable()
export class MaintenanceRecords {
  constructor(
    private readonly log: CommandLog,
    private readonly completions: Completions,
  ) {}

  /**
   * Resolves when the live generation has applied all records, so that queries show their effect. Throws
   * `admin.not-applied` if applying takes too long or `signal` aborts, `admin.rejected` if a record becomes a dead
   * letter, and faults of the log.
   */
  async apply(records: readonly MaintenanceRecord[], receivedAt: number, signal?: AbortSignal): Promise<void> {
    const positions = await Promise.all(records.map((record) => this.append(record, receivedAt)));
    await this.applied(positions, signal);
    if (signal?.aborted) throw notApplied();
  }

  private append({ payload, ...record }: MaintenanceRecord, receivedAt: number): Promise<Position> {
    return this.log.append({
      uuid: randomUUID(),
      ...record,
      receivedAt,
      encoding: 'identity',
      payload: Buffer.from(payload, 'utf8'),
    });
  }

  private async applied(positions: readonly Position[], signal?: AbortSignal): Promise<void> {
    const completion = await this.completions.waitForAll(positions, longestWaitMs, { signal });
    if (!completion.processed) throw notApplied();
    if (completion.rejection === undefined) return;
    throw new Fault('broken', 'admin.rejected', `A maintenance record was rejected: ${completion.rejection.error}`);
  }
}

export const notApplied = (): Fault =>
  new Fault(
    'busy',
    'admin.not-applied',
    'The changes are in the log, but the read tables do not show all of them yet. They will be applied.',
  );

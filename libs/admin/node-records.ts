import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Completions } from '#commands';
import { Fault } from '#fault';
import { CommandLog, type Position } from '#log';

/** A record of maintenance about one node. */
interface NodeRecord {
  readonly certname: string;
  /** As lifecycleCommands of wire names it. */
  readonly command: string;
  readonly version: number;
  /** The payload's members but for the certname. */
  readonly members: Readonly<Record<string, string>>;
}

/** Appends under way at once: enough for the log to commit many together. */
const appendedAtOnce = 500;
/** Beyond this nobody waits for an answer any more; the records are in the log and will be applied. */
const longestWaitMs = 600_000;

/** Brings records of maintenance into the log and waits for the read tables that queries read. */
@Injectable()
export class NodeRecords {
  constructor(
    private readonly log: CommandLog,
    private readonly completions: Completions,
  ) {}

  /**
   * Appends a record for each node and resolves when the live generation has applied all of them. Faults:
   * `admin.not-applied` (busy) where that takes too long or `signal` aborts, `admin.rejected`, those of the log.
   */
  async apply(records: readonly NodeRecord[], receivedAt: number, signal?: AbortSignal): Promise<void> {
    const last = new Map<number, Position>();
    for (let start = 0; start < records.length && !signal?.aborted; start += appendedAtOnce) {
      const positions = await Promise.all(
        records.slice(start, start + appendedAtOnce).map((record) => this.append(record, receivedAt)),
      );
      for (const position of positions) {
        if (position.offset > (last.get(position.partition)?.offset ?? -1)) last.set(position.partition, position);
      }
    }
    await this.applied([...last.values()], signal);
    if (signal?.aborted) throw notApplied();
  }

  private append({ certname, command, version, members }: NodeRecord, receivedAt: number): Promise<Position> {
    return this.log.append({
      uuid: randomUUID(),
      command,
      version,
      certname,
      receivedAt,
      encoding: 'identity',
      payload: Buffer.from(JSON.stringify({ certname, ...members }), 'utf8'),
    });
  }

  private async applied(positions: readonly Position[], signal?: AbortSignal): Promise<void> {
    const completion = await this.completions.waitForAll(positions, longestWaitMs, { signal });
    if (!completion.processed) throw notApplied();
    if (completion.rejection === undefined) return;
    throw new Fault('broken', 'admin.rejected', `A maintenance record was rejected: ${completion.rejection.error}`);
  }
}

const notApplied = (): Fault =>
  new Fault(
    'busy',
    'admin.not-applied',
    'The changes are in the log, but the read tables do not show all of them yet. They will be applied.',
  );

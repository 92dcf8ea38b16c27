import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLog } from '#access';
import { Database, Generations, type Generation } from '#database';
import { Fault } from '#fault';
import { CommandLog } from '#log';
import {
  collectSharedRows,
  nodesToExpire,
  nodesToPurge,
  nodesWithReportsBefore,
  purgeOldLetters,
  sharedTables,
} from '#projections';
import { lifecycleCommands } from '#wire';
import { AgeLimits } from '../age-limits';
import { ClockGuard } from '../clocks/clock-guard';
import { NodeRecords } from '../node-records';
import { Clean, type Cleaned, type CleanRequest } from './clean';
import { CleanWatch } from './clean-watch';

/**
 * The clean pipeline: for each kind of maintenance that is wanted, the nodes that it is about are looked up in the live
 * read tables, a record for each goes into the log, and the next kind begins when those are applied. Last, what no answer
 * shows any more is removed, without records: old dead letters, and rows that nothing refers to. A limit of 0 turns its kind
 * off. One at a time in a process; two processes that do it at once do the same twice, which is harmless.
 * Faults: `admin.running` (conflict), those of ClockGuard and NodeRecords.
 */
@CommandHandler(Clean)
export class CleanHandler implements ICommandHandler<Clean> {
  private running = false;

  constructor(
    private readonly db: Database,
    private readonly generations: Generations,
    private readonly records: NodeRecords,
    private readonly limits: AgeLimits,
    private readonly clocks: ClockGuard,
    private readonly log: CommandLog,
    private readonly audit: AuditLog,
    private readonly watch: CleanWatch,
  ) {}

  async execute({ request, signal }: Clean): Promise<Cleaned> {
    if (this.running) {
      throw new Fault('conflict', 'admin.running', 'Maintenance is already running; nothing was started.');
    }
    this.running = true;
    this.watch.begun(request);
    let done = false;
    try {
      const cleaned = await this.clean(request, signal);
      done = true;
      return cleaned;
    } finally {
      this.running = false;
      this.watch.ended(done);
    }
  }

  private async clean(request: CleanRequest, signal: AbortSignal | undefined): Promise<Cleaned> {
    const { nodeTtlMs, nodePurgeTtlMs, reportTtlMs, deadLetterTtlMs, auditTtlMs } = this.limits;
    const { expireNodes, purgeNodes, purgeReports, collectOther } = request;
    const expired = expireNodes && nodeTtlMs > 0 ? await this.expireNodes(nodeTtlMs, signal) : 0;
    const limit = purgeNodes?.limit ?? (this.limits.nodePurgeLimit || undefined);
    const purged = purgeNodes && nodePurgeTtlMs > 0 ? await this.purgeNodes(nodePurgeTtlMs, limit, signal) : 0;
    const reportsPurged = purgeReports && reportTtlMs > 0 ? await this.purgeReports(reportTtlMs, signal) : 0;
    const deadLettersPurged =
      collectOther && deadLetterTtlMs > 0 ? await this.purgeLetters(deadLetterTtlMs, signal) : 0;
    if (collectOther && auditTtlMs > 0) await this.purgeAudit(auditTtlMs);
    const unusedRows = await this.collect(request, signal);
    return { expired, purged, reportsPurged, deadLettersPurged, unusedRows };
  }

  private async expireNodes(ttlMs: number, signal?: AbortSignal): Promise<number> {
    const now = await this.clocks.agreedTime();
    const times = { expired: isoTime(now), cutoff: cutoffAt(now - ttlMs) };
    const certnames = await nodesToExpire(this.db, await this.live(), times.cutoff);
    const nodes = await this.give(lifecycleCommands.expireNode, certnames, times, now, signal);
    this.watch.did('expire_nodes');
    return nodes;
  }

  private async purgeNodes(ttlMs: number, limit: number | undefined, signal?: AbortSignal): Promise<number> {
    const now = await this.clocks.agreedTime();
    const cutoff = cutoffAt(now - ttlMs);
    const certnames = await nodesToPurge(this.db, await this.live(), cutoff, limit);
    const nodes = await this.give(lifecycleCommands.purgeNode, certnames, { cutoff }, now, signal);
    this.watch.did('purge_nodes');
    return nodes;
  }

  private async purgeReports(ttlMs: number, signal?: AbortSignal): Promise<number> {
    const now = await this.clocks.agreedTime();
    const cutoff = cutoffAt(now - ttlMs);
    const certnames = await nodesWithReportsBefore(this.db, await this.live(), cutoff);
    const nodes = await this.give(lifecycleCommands.purgeReports, certnames, { cutoff }, now, signal);
    this.watch.did('purge_reports');
    return nodes;
  }

  private async purgeLetters(ttlMs: number, signal?: AbortSignal): Promise<number> {
    const now = await this.clocks.agreedTime();
    const tails = await this.log.tails();
    const letters = await purgeOldLetters(this.db, { before: cutoffAt(now - ttlMs), tails, signal });
    this.watch.did('purge_dead_letters');
    return letters;
  }

  private async purgeAudit(ttlMs: number): Promise<void> {
    await this.audit.purge(new Date(cutoffAt((await this.clocks.agreedTime()) - ttlMs)));
    this.watch.did('purge_audit_log');
  }

  private async collect({ collectPackages, collectOther }: CleanRequest, signal?: AbortSignal): Promise<number> {
    const names = sharedTables.map(({ name }) => name);
    const tables = names.filter((name) => (name === 'packages' ? collectPackages : collectOther));
    if (tables.length === 0) return 0;
    return collectSharedRows(this.db, await this.live(), {
      tables,
      signal,
      onTable: (table) => this.watch.did(`collect_${table}`),
    });
  }

  private async give(
    command: { readonly command: string; readonly version: number },
    certnames: readonly string[],
    members: Readonly<Record<string, string>>,
    now: number,
    signal?: AbortSignal,
  ): Promise<number> {
    const records = certnames.map((certname) => ({ ...command, certname, members }));
    await this.records.apply(records, now, signal);
    return records.length;
  }

  private async live(): Promise<Generation> {
    const generation = await this.generations.live();
    if (generation === undefined) throw new Fault('busy', 'admin.no-generation', 'There are no read tables yet.');
    return generation;
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** No document has an earlier time, so a longer age limit than that means the same. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const cutoffAt = (ms: number): string => isoTime(Math.max(earliest, ms));

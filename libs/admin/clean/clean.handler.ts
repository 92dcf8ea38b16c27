import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLog } from '#access';
import { Database, Generations, tryWithLock, type Generation } from '#database';
import { Fault } from '#fault';
import { CommandLog, nameInPartition } from '#log';
import {
  collectSharedRows,
  deletePast,
  deletionsKeptMs,
  findDue,
  purgeOldLetters,
  deleteRemovedRows,
  sharedTables,
  type AgeCutoffs,
  type DueChanges,
  type Removed,
} from '#projections';
import { lifecycleCommands, writeAgeLimits } from '#wire';
import { AgeLimits } from '../age-limits';
import { ClockGuard } from '../clocks/clock-guard';
import { MaintenanceRecords, notApplied, type MaintenanceRecord } from '../maintenance-records';
import { alignedCutoff } from './aligned-cutoff';
import { Clean, type Cleaned, type CleanRequest } from './clean';
import { CleaningObserver } from './cleaning-observer';

/**
 * Largest numbers of nodes that one record expires or deletes. A record is applied in one transaction, and each deleted
 * node has thousands of rows.
 */
const mostExpired = 2_000;
const mostPurged = 100;

/**
 * Length of the pauses between deletions, relative to the time of the deletions. With 1, deletions run for at most half
 * of the time.
 */
const removalPauses = 1;

/**
 * First appends a record to each partition that contains data older than its age limit, and waits until the records are
 * applied. Then deletes, without records, rows of removed reports and events, rows older than the history, old dead
 * letters and audit entries, and unused shared rows.
 *
 * If an age limit is 0, the data to which it applies is never too old. Only one cleaning runs at a time, in all
 * processes together. Throws `admin.running`, and the faults of `ClockGuard` and `MaintenanceRecords`.
 */
@CommandHandler(Clean)
export class CleanHandler implements ICommandHandler<Clean> {
  private readonly stopping = new AbortController();
  private running = false;

  constructor(
    private readonly db: Database,
    private readonly generations: Generations,
    private readonly records: MaintenanceRecords,
    private readonly limits: AgeLimits,
    private readonly clocks: ClockGuard,
    private readonly log: CommandLog,
    private readonly audit: AuditLog,
    private readonly watch: CleaningObserver,
  ) {}

  /** Ends a running cleaning, and refuses later cleanings. */
  stop(): void {
    this.stopping.abort();
  }

  async execute(command: Clean): Promise<Cleaned> {
    const given = command.signal === undefined ? [] : [command.signal];
    const signal = AbortSignal.any([this.stopping.signal, ...given]);
    // Prevents two cleanings in this process. The lock in the database prevents a second cleaning in another process.
    if (this.running) throw alreadyRunning();
    this.running = true;
    try {
      const cleaned = await tryWithLock(this.db, 'cleaning', () => this.watched(command, signal));
      if (cleaned !== undefined) return cleaned;
    } finally {
      this.running = false;
    }
    throw alreadyRunning();
  }

  private async watched(command: Clean, signal: AbortSignal): Promise<Cleaned> {
    this.watch.started(command.request);
    let done = false;
    try {
      const cleaned = await this.clean(command, signal);
      done = true;
      return cleaned;
    } finally {
      this.watch.ended(done);
    }
  }

  private async clean({ request, cutoffs }: Clean, signal: AbortSignal): Promise<Cleaned> {
    const { deadLetterTtl, auditTtl } = this.limits;
    const nodes = await this.applyLimits(request, cutoffs, signal);
    const { reports, events } = await this.removeReports(request, signal);
    if (request.collectOther) await this.removePast(signal);
    const { collectOther } = request;
    const deadLettersPurged = collectOther && deadLetterTtl > 0 ? await this.purgeLetters(deadLetterTtl, signal) : 0;
    if (collectOther && auditTtl > 0) await this.purgeAudit(auditTtl);
    const unusedRows = await this.collect(request, signal);
    if (signal.aborted) throw notApplied();
    return { ...nodes, reportsPurged: reports, eventsPurged: events, deadLettersPurged, unusedRows };
  }

  /** Repeats the search, because one record changes a limited number of nodes. */
  private async applyLimits(
    request: CleanRequest,
    kind: Clean['cutoffs'],
    signal: AbortSignal,
  ): Promise<{ expired: number; purged: number }> {
    const done = { expired: 0, purged: 0 };
    const cutoffs = await this.cutoffs(request, kind);
    if (cutoffs === undefined) return done;
    const partitions = (await this.log.ends()).size;
    for (let isMore = true; isMore && !signal.aborted;) {
      const { purge } = cutoffs.ages;
      const left = purge?.most === undefined ? undefined : purge.most - done.purged;
      const due = await findDue(this.db, await this.live(), partitions, {
        ...cutoffs.ages,
        ...(purge && { purge: { ...purge, most: left } }),
      });
      const records = [...due].map(([partition, found]) => recordOf(partition, partitions, found, cutoffs));
      this.watch.did('find_due');
      await this.records.apply(records, Date.now(), signal);
      this.watch.did('apply_age_limits');
      isMore = false;
      for (const { expire, purge } of due.values()) {
        done.expired += Math.min(expire, mostExpired);
        done.purged += Math.min(purge, mostPurged);
        isMore ||= expire > mostExpired || purge > mostPurged;
      }
    }
    return done;
  }

  private async cutoffs(request: CleanRequest, kind: Clean['cutoffs']): Promise<Cutoffs | undefined> {
    const { nodeTtl, nodePurgeTtl, reportTtl, resourceEventsTtl = reportTtl, nodePurgeGcBatchLimit } = this.limits;
    const { history = 0 } = this.limits;
    const [expires, purges] = [request.expireNodes && nodeTtl > 0, request.purgeNodes && nodePurgeTtl > 0];
    const [reports, events] = [request.purgeReports && reportTtl > 0, request.purgeEvents && resourceEventsTtl > 0];
    const endsPast = request.collectOther && history > 0;
    if (!expires && !purges && !reports && !events && !endsPast) return undefined;
    const now = await this.clocks.agreedTime();
    const before = (ttlMs: number): string => cutoffAt(kind === 'exact' ? now - ttlMs : alignedCutoff(now, ttlMs));
    const reportsBefore = reports ? before(reportTtl) : undefined;
    const eventsBefore = events ? before(resourceEventsTtl) : undefined;
    return {
      expired: isoTime(now),
      ages: {
        expireBefore: expires ? before(nodeTtl) : undefined,
        purge: purges
          ? { before: before(nodePurgeTtl), most: request.purgeNodes?.limit ?? (nodePurgeGcBatchLimit || undefined) }
          : undefined,
        reportsBefore,
        historyBefore: endsPast ? before(history) : undefined,
        deletionsBefore: endsPast ? cutoffAt(now - deletionsKeptMs) : undefined,
        // Omits the cutoff for events if it is not later than the cutoff for reports, because the events of a report
        // are deleted with the report.
        eventsBefore:
          eventsBefore !== undefined && reportsBefore !== undefined && eventsBefore <= reportsBefore
            ? undefined
            : eventsBefore,
      },
    };
  }

  private async removeReports({ purgeReports, purgeEvents }: CleanRequest, signal: AbortSignal): Promise<Removed> {
    if (!purgeReports && !purgeEvents) return { reports: 0, events: 0 };
    const removed = await deleteRemovedRows(this.db, await this.live(), { signal, pauses: removalPauses });
    this.watch.did('purge_reports');
    return removed;
  }

  private async removePast(signal: AbortSignal): Promise<void> {
    await deletePast(this.db, await this.live(), { signal, pauses: removalPauses });
    this.watch.did('remove_past');
  }

  private async purgeLetters(ttlMs: number, signal: AbortSignal): Promise<number> {
    const now = await this.clocks.agreedTime();
    const { tails } = await this.log.extent();
    const letters = await purgeOldLetters(this.db, { before: cutoffAt(now - ttlMs), tails, signal });
    this.watch.did('purge_dead_letters');
    return letters;
  }

  private async purgeAudit(ttlMs: number): Promise<void> {
    await this.audit.purge(new Date(cutoffAt((await this.clocks.agreedTime()) - ttlMs)));
    this.watch.did('purge_audit_log');
  }

  private async collect(request: CleanRequest, signal: AbortSignal): Promise<number> {
    const requested: Readonly<Record<string, boolean>> = {
      packages: request.collectPackages,
      resource_contents: request.collectOther || request.collectResources,
      fact_paths: request.collectOther || request.collectPaths,
    };
    const tables = sharedTables.map(({ name }) => name).filter((name) => requested[name] ?? request.collectOther);
    if (tables.length === 0) return 0;
    return collectSharedRows(this.db, await this.live(), {
      tables,
      signal,
      onTable: (table) => this.watch.did(`collect_${table}`),
    });
  }

  private async live(): Promise<Generation> {
    const generation = await this.generations.live();
    if (generation === undefined) throw new Fault('busy', 'admin.no-generation', 'There are no read tables yet.');
    return generation;
  }
}

const alreadyRunning = (): Fault =>
  new Fault('conflict', 'admin.running', 'Maintenance is already running; nothing was started.');

interface Cutoffs {
  readonly expired: string;
  readonly ages: AgeCutoffs;
}

function recordOf(
  partition: number,
  partitions: number,
  due: DueChanges,
  { expired, ages }: Cutoffs,
): MaintenanceRecord {
  const { expireBefore, purge, reportsBefore, eventsBefore, historyBefore } = ages;
  const certname = nameInPartition(partition, partitions);
  const payload = writeAgeLimits({
    kind: 'age limits',
    certname,
    nodes: [{ partition, partitions }],
    expiry: expireBefore !== undefined && due.expire > 0 ? { cutoff: expireBefore, expired, most: mostExpired } : null,
    purge:
      purge !== undefined && due.purge > 0 ? { cutoff: purge.before, most: Math.min(due.purge, mostPurged) } : null,
    reportsBefore: reportsBefore !== undefined && due.reports ? reportsBefore : null,
    eventsBefore: eventsBefore !== undefined && due.events ? eventsBefore : null,
    historyBefore: historyBefore !== undefined && due.history ? historyBefore : null,
  });
  return { ...lifecycleCommands.applyAgeLimits, certname, payload };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** No document has an earlier time, so an earlier cutoff would change nothing. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const cutoffAt = (ms: number): string => isoTime(Math.max(earliest, ms));

import { arrayLiteral, type Database, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireEvent, WireReport } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64, reportKey } from '../keys';
import { deleteReports } from '../maintenance/delete-nodes';
import { isRemoved } from '../maintenance/removed-reports';
import { CopyRows } from '../copy-rows';
import { Versions } from '../history/versions';
import { RowSet } from '../row-set';
import { originOf } from '../timeline/life-changes';
import { noCounts, type TimelineChanges } from '../timeline/timeline-changes';
import { countEvents } from './count-events';

interface PendingReport {
  readonly node: string;
  readonly report: Omit<WireReport, 'events'>;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
  /** Rows as text for COPY, because objects would take much more memory. */
  readonly events: string;
  readonly counts: string;
  readonly eventCount: number;
}

interface LatestReport {
  readonly key: string;
  readonly producerTimestamp: IsoTime;
  readonly since: number;
}

export interface KnownReports {
  readonly stored: ReadonlySet<string>;
  /** An age limit has removed these reports, but their rows are not deleted yet. The batch replaces these rows. */
  readonly removed: readonly string[];
}

export class ReportChanges implements BatchPart {
  private readonly pending = new Map<string, PendingReport>();
  private readonly latest: Versions<string, LatestReport>;
  /** Keys of all reports that were the latest report of their node at some time during the batch. */
  private readonly wasLatest = new Set<string>();
  private readonly noted = new Set<string>();
  private removed: readonly string[];

  private readonly reports = new CopyRows('reports');
  private readonly events = new CopyRows('resource_events');
  private readonly counts = new CopyRows('event_counts');

  constructor(
    private readonly keepsPast: boolean,
    private readonly timeline: TimelineChanges,
    private readonly known: KnownReports = { stored: new Set(), removed: [] },
  ) {
    this.latest = new Versions(keepsPast);
    this.removed = known.removed;
  }

  /** Returns false if a report with the same hash was added or stored before. The new report then changes nothing. */
  add(node: string, report: WireReport, receivedAt: IsoTime, record: LogRecord): boolean {
    const key = reportKey(report.hash);
    if (this.pending.has(key) || this.known.stored.has(key)) return false;
    const { events, ...rest } = report;
    // Makes the rows immediately and not when the batch is written, so that a batch keeps one text for each report
    // instead of thousands of objects.
    const rows = {
      events: eventRows(key, node, events, record.offset),
      counts: countRows(key, node, report, record.offset),
    };
    this.pending.set(key, { node, report: rest, receivedAt, record, ...rows, eventCount: events.length });
    return true;
  }

  setLatest(node: string, { hash, producerTimestamp }: WireReport, { offset }: LogRecord): void {
    const key = reportKey(hash);
    this.latest.add(node, { key, producerTimestamp, since: offset });
    this.wasLatest.add(key);
  }

  setNoted({ hash }: WireReport): void {
    this.noted.add(reportKey(hash));
  }

  /**
   * Must be called once, before `prepare`. `wereLatest` is true if a stored report was added again and became the
   * latest report of its node. In this case, the caller must fold the batch again. This case occurs if an agent's
   * report has the hash of a stored report of a plan.
   */
  async dropStored(db: Database | Session, schema: string): Promise<KnownReports & { readonly wereLatest: boolean }> {
    if (this.pending.size === 0) return { stored: new Set(), removed: [], wereLatest: false };
    const found = await db.query<{ report: string; removed: boolean }>({
      name: `stored-reports-${schema}`,
      text: `SELECT replace(r.report::text, '-', '') AS report, ${isRemoved(schema)} AS removed
             FROM ${schema}.reports r WHERE r.report = ANY($1::uuid[])`,
      values: [arrayLiteral([...this.pending.keys()])],
    });
    const stored = new Set(found.filter(({ removed }) => !removed).map(({ report }) => report));
    this.removed = found.filter(({ removed }) => removed).map(({ report }) => report);
    for (const report of stored) this.pending.delete(report);
    return { stored, removed: this.removed, wereLatest: [...stored].some((report) => this.wasLatest.has(report)) };
  }

  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const [key, { node, report, receivedAt, record, events, counts, eventCount }] of this.pending) {
      this.reports.push(
        key,
        report.hash,
        node,
        names.environment(report.environment),
        names.producer(report.producer),
        report.status,
        report.noop,
        report.noopPending,
        report.correctiveChange,
        report.agentVersion,
        report.reportFormat,
        report.configurationVersion,
        report.startTime,
        report.endTime,
        report.producerTimestamp,
        receivedAt,
        report.transactionUuid,
        report.catalogUuid,
        report.codeId,
        report.cachedCatalogStatus,
        report.jobId,
        report.type,
        report.logs,
        report.metrics,
        report.resources,
        record.partition,
        record.offset,
      );
      this.events.append(events);
      this.counts.append(counts);
      if (!this.noted.has(key)) continue;
      const origin = originOf(report, record, names);
      this.timeline.add(node, 'report', origin, { ...noCounts, changed: eventCount }, report.status);
    }
    onStep('prepare_reports');
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    await deleteReports(session, schema, this.removed);
    await this.reports.write(session, schema);
    onStep('write_reports');
    await this.events.write(session, schema);
    await this.counts.write(session, schema);
    onStep('write_events');
    for (const part of this.latest.parts) {
      const latest = new RowSet('latest_reports');
      for (const [node, { key, producerTimestamp, since }] of part) latest.push(node, key, producerTimestamp, since);
      await latest.replace(session, schema, { keepsPast: this.keepsPast });
    }
    onStep('write_reports');
  }
}

function eventRows(key: string, node: string, events: readonly WireEvent[], since: number): string {
  const rows = new CopyRows('resource_events');
  events.forEach((event, ordinal) => {
    rows.push(
      key,
      node,
      ordinal,
      event.status,
      event.timestamp,
      event.resourceType,
      event.resourceTitle,
      event.property,
      event.name,
      event.newValue,
      event.oldValue,
      event.message,
      event.file,
      event.line,
      event.containingClass,
      event.containmentPath === null ? null : arrayLiteral(event.containmentPath),
      event.correctiveChange,
      since,
    );
  });
  return rows.text;
}

function countRows(key: string, node: string, report: WireReport, since: number): string {
  const rows = new CopyRows('event_counts');
  for (const count of countEvents(report.events)) {
    rows.push(
      key,
      count.containingClass === null ? 0 : key64(count.containingClass),
      node,
      report.producerTimestamp,
      count.containingClass,
      count.successes,
      count.failures,
      count.noops,
      count.skips,
      count.correctiveSuccesses,
      count.correctiveNoops,
      since,
    );
  }
  return rows.text;
}

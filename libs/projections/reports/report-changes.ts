import { arrayLiteral, type Database, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireEvent, WireReport } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64, reportKey } from '../keys';
import { deleteReports } from '../maintenance/delete-nodes';
import { isRemoved } from '../maintenance/removed-reports';
import { cellsOf, type ColumnOf, CopyRows } from '../copy-rows';
import { Versions } from '../history/versions';
import { RowSet } from '../row-set';
import { originOf } from '../timeline/life-changes';
import { noCounts, type TimelineChanges } from '../timeline/timeline-changes';
import { type ClassCount, countEvents } from './count-events';

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

  private readonly reports = new CopyRows('reports', reportColumns);
  private readonly events = new CopyRows('resource_events', eventColumns);
  private readonly counts = new CopyRows('event_counts', countColumns);

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
    // Makes the rows at once, so that a batch keeps one text for each report instead of thousands of objects.
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
      this.reports.push(...cellsOf(reportColumns, { key, node, report, receivedAt, record, names }));
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
  const rows = new CopyRows('resource_events', eventColumns);
  events.forEach((event, ordinal) => {
    rows.push(...cellsOf(eventColumns, { key, node, ordinal, event, since }));
  });
  return rows.text;
}

function countRows(key: string, node: string, report: WireReport, since: number): string {
  const rows = new CopyRows('event_counts', countColumns);
  for (const count of countEvents(report.events)) {
    rows.push(...cellsOf(countColumns, { key, node, report, count, since }));
  }
  return rows.text;
}

interface ReportRow extends Pick<PendingReport, 'node' | 'report' | 'receivedAt' | 'record'> {
  readonly key: string;
  readonly names: NameKeys;
}

const reportColumns: readonly ColumnOf<ReportRow>[] = [
  { name: 'report', cell: ({ key }) => key },
  { name: 'hash', cell: ({ report }) => report.hash },
  { name: 'node', cell: ({ node }) => node },
  { name: 'environment', cell: ({ report, names }) => names.environment(report.environment) },
  { name: 'producer', cell: ({ report, names }) => names.producer(report.producer) },
  { name: 'status', cell: ({ report }) => report.status },
  { name: 'noop', cell: ({ report }) => report.noop },
  { name: 'noop_pending', cell: ({ report }) => report.noopPending },
  { name: 'corrective_change', cell: ({ report }) => report.correctiveChange },
  { name: 'agent_version', cell: ({ report }) => report.agentVersion },
  { name: 'report_format', cell: ({ report }) => report.reportFormat },
  { name: 'configuration_version', cell: ({ report }) => report.configurationVersion },
  { name: 'start_time', cell: ({ report }) => report.startTime },
  { name: 'end_time', cell: ({ report }) => report.endTime },
  { name: 'producer_timestamp', cell: ({ report }) => report.producerTimestamp },
  { name: 'receive_time', cell: ({ receivedAt }) => receivedAt },
  { name: 'transaction_uuid', cell: ({ report }) => report.transactionUuid },
  { name: 'catalog_uuid', cell: ({ report }) => report.catalogUuid },
  { name: 'code_id', cell: ({ report }) => report.codeId },
  { name: 'cached_catalog_status', cell: ({ report }) => report.cachedCatalogStatus },
  { name: 'job_id', cell: ({ report }) => report.jobId },
  { name: 'type', cell: ({ report }) => report.type },
  { name: 'logs', cell: ({ report }) => report.logs },
  { name: 'metrics', cell: ({ report }) => report.metrics },
  { name: 'resources', cell: ({ report }) => report.resources },
  { name: 'log_partition', cell: ({ record }) => record.partition },
  { name: 'log_offset', cell: ({ record }) => record.offset },
];

interface EventRow {
  readonly key: string;
  readonly node: string;
  readonly ordinal: number;
  readonly event: WireEvent;
  readonly since: number;
}

const eventColumns: readonly ColumnOf<EventRow>[] = [
  { name: 'report', cell: ({ key }) => key },
  { name: 'node', cell: ({ node }) => node },
  { name: 'ordinal', cell: ({ ordinal }) => ordinal },
  { name: 'status', cell: ({ event }) => event.status },
  { name: 'timestamp', cell: ({ event }) => event.timestamp },
  { name: 'resource_type', cell: ({ event }) => event.resourceType },
  { name: 'resource_title', cell: ({ event }) => event.resourceTitle },
  { name: 'property', cell: ({ event }) => event.property },
  { name: 'name', cell: ({ event }) => event.name },
  { name: 'new_value', cell: ({ event }) => event.newValue },
  { name: 'old_value', cell: ({ event }) => event.oldValue },
  { name: 'message', cell: ({ event }) => event.message },
  { name: 'file', cell: ({ event }) => event.file },
  { name: 'line', cell: ({ event }) => event.line },
  { name: 'containing_class', cell: ({ event }) => event.containingClass },
  {
    name: 'containment_path',
    cell: ({ event }) => (event.containmentPath === null ? null : arrayLiteral(event.containmentPath)),
  },
  { name: 'corrective_change', cell: ({ event }) => event.correctiveChange },
  { name: 'since', cell: ({ since }) => since },
];

interface CountRow {
  readonly key: string;
  readonly node: string;
  readonly report: WireReport;
  readonly count: ClassCount;
  readonly since: number;
}

const countColumns: readonly ColumnOf<CountRow>[] = [
  { name: 'report', cell: ({ key }) => key },
  {
    name: 'class_key',
    cell: ({ count }) => (count.containingClass === null ? 0 : key64(count.containingClass)),
  },
  { name: 'node', cell: ({ node }) => node },
  { name: 'producer_timestamp', cell: ({ report }) => report.producerTimestamp },
  { name: 'containing_class', cell: ({ count }) => count.containingClass },
  { name: 'successes', cell: ({ count }) => count.successes },
  { name: 'failures', cell: ({ count }) => count.failures },
  { name: 'noops', cell: ({ count }) => count.noops },
  { name: 'skips', cell: ({ count }) => count.skips },
  { name: 'corrective_successes', cell: ({ count }) => count.correctiveSuccesses },
  { name: 'corrective_noops', cell: ({ count }) => count.correctiveNoops },
  { name: 'since', cell: ({ since }) => since },
];

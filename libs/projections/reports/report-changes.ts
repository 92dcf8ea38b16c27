import { arrayLiteral, type Database, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireEvent, WireReport } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64, reportKey } from '../keys';
import { deleteReports } from '../lifecycle/delete-nodes';
import { isRemoved } from '../partitions/removed-reports';
import { CopyRows } from '../copy-rows';
import { RowSet } from '../row-set';
import { countEvents } from './count-events';

interface PendingReport {
  readonly node: string;
  readonly report: Omit<WireReport, 'events'>;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
  /** The rows of its events and of their counts. */
  readonly events: string;
  readonly counts: string;
}

/** Keys of reports that a batch brings and that the tables have already. */
export interface KnownReports {
  readonly stored: ReadonlySet<string>;
  /** Those that an age limit has taken but whose rows are still there: the batch takes their place. */
  readonly removed: readonly string[];
}

/** What a batch adds of reports: each report once, with its events, counts and, where it is one, its node's latest. */
export class ReportChanges implements BatchPart {
  private readonly pending = new Map<string, PendingReport>();
  private readonly latest = new Map<string, Pick<WireReport, 'hash' | 'producerTimestamp'>>();
  /** Keys of all that were their node's latest for a while. */
  private readonly wasLatest = new Set<string>();
  private removed: readonly string[];

  private readonly reports = new CopyRows('reports', [
    { name: 'report', type: 'uuid' },
    { name: 'hash', type: 'text' },
    { name: 'node', type: 'bigint' },
    { name: 'environment', type: 'bigint' },
    { name: 'producer', type: 'bigint' },
    { name: 'status', type: 'text' },
    { name: 'noop', type: 'boolean' },
    { name: 'noop_pending', type: 'boolean' },
    { name: 'corrective_change', type: 'boolean' },
    { name: 'agent_version', type: 'text' },
    { name: 'report_format', type: 'int' },
    { name: 'configuration_version', type: 'text' },
    { name: 'start_time', type: 'timestamptz' },
    { name: 'end_time', type: 'timestamptz' },
    { name: 'producer_timestamp', type: 'timestamptz' },
    { name: 'receive_time', type: 'timestamptz' },
    { name: 'transaction_uuid', type: 'text' },
    { name: 'catalog_uuid', type: 'text' },
    { name: 'code_id', type: 'text' },
    { name: 'cached_catalog_status', type: 'text' },
    { name: 'job_id', type: 'text' },
    { name: 'type', type: 'text' },
    { name: 'logs', type: 'json' },
    { name: 'metrics', type: 'json' },
    { name: 'resources', type: 'json' },
    { name: 'log_partition', type: 'int' },
    { name: 'log_offset', type: 'bigint' },
  ]);
  private readonly events = new CopyRows('resource_events', eventColumns);
  private readonly counts = new CopyRows('event_counts', countColumns);

  constructor(private readonly known: KnownReports = { stored: new Set(), removed: [] }) {
    this.removed = known.removed;
  }

  /** Takes a report. False: it was taken or stored before, under the same hash, and changes nothing. */
  add(node: string, report: WireReport, receivedAt: IsoTime, record: LogRecord): boolean {
    const key = reportKey(report.hash);
    if (this.pending.has(key) || this.known.stored.has(key)) return false;
    const { events, ...rest } = report;
    // Their rows at once: a batch keeps one text of each report instead of thousands of objects.
    const rows = { events: eventRows(key, node, events), counts: countRows(key, node, report) };
    this.pending.set(key, { node, report: rest, receivedAt, record, ...rows });
    return true;
  }

  /** Takes a report that was added as its node's latest so far. */
  setLatest(node: string, report: WireReport): void {
    this.latest.set(node, { hash: report.hash, producerTimestamp: report.producerTimestamp });
    this.wasLatest.add(reportKey(report.hash));
  }

  /**
   * Drops the reports that are stored already, and gives their keys. Call once, before `prepare`. `wereLatest`: one of them
   * became its node's latest all the same (an agent's report with the hash of a plan's that is stored). Then the batch has to
   * be folded again with all stored ones known.
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
    for (const [key, { node, report, receivedAt, record, events, counts }] of this.pending) {
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
    const latest = new RowSet('latest_reports', [
      { name: 'node', type: 'bigint' },
      { name: 'report', type: 'uuid' },
      { name: 'producer_timestamp', type: 'timestamptz' },
    ]);
    for (const [node, report] of this.latest) latest.push(node, reportKey(report.hash), report.producerTimestamp);
    await latest.replace(session, schema);
    onStep('write_reports');
  }
}

function eventRows(key: string, node: string, events: readonly WireEvent[]): string {
  const rows = new CopyRows('resource_events', eventColumns);
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
    );
  });
  return rows.text;
}

function countRows(key: string, node: string, report: WireReport): string {
  const rows = new CopyRows('event_counts', countColumns);
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
    );
  }
  return rows.text;
}

const eventColumns = [
  { name: 'report', type: 'uuid' },
  { name: 'node', type: 'bigint' },
  { name: 'ordinal', type: 'int' },
  { name: 'status', type: 'text' },
  { name: 'timestamp', type: 'timestamptz' },
  { name: 'resource_type', type: 'text' },
  { name: 'resource_title', type: 'text' },
  { name: 'property', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'new_value', type: 'text' },
  { name: 'old_value', type: 'text' },
  { name: 'message', type: 'text' },
  { name: 'file', type: 'text' },
  { name: 'line', type: 'int' },
  { name: 'containing_class', type: 'text' },
  { name: 'containment_path', type: 'text[]' },
  { name: 'corrective_change', type: 'boolean' },
];

const countColumns = [
  { name: 'report', type: 'uuid' },
  { name: 'class_key', type: 'bigint' },
  { name: 'node', type: 'bigint' },
  { name: 'producer_timestamp', type: 'timestamptz' },
  { name: 'containing_class', type: 'text' },
  { name: 'successes', type: 'int' },
  { name: 'failures', type: 'int' },
  { name: 'noops', type: 'int' },
  { name: 'skips', type: 'int' },
  { name: 'corrective_successes', type: 'int' },
  { name: 'corrective_noops', type: 'int' },
];

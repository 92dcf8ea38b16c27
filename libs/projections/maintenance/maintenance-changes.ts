import { arrayLiteral, type Session } from '#database';
import type { LogRecord, Position } from '#log';
import type { PartitionOfNodes, WireAgeLimits, WireMaintenance, WireNodesRestoration } from '#wire';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { forgetLettersOf } from '../dead-letters/forget-letters';
import { key64 } from '../keys';
import { deleteRows, insertPast } from '../history/move-to-past';
import { isInPast, type PastStarts } from '../history/kept-past';
import { endPast, noteRemoved } from '../history/past-limits';
import {
  deleteOldDeletions,
  insertDeletion,
  insertExpiries,
  insertRestorations,
} from '../timeline/maintenance-entries';
import { deleteNodes, purgeNodes } from './delete-nodes';
import { documentTimeColumns } from '../nodes/life-signs';
import { latestReportFields, nodeColumn } from '../nodes/node-columns';
import { RowSet } from '../row-set';
import { tableColumns } from '../schema/read-tables';
import type { RemovalKind } from './removed-reports';
import { isIn, partsOf } from './nodes-of';
import { isInactiveSince, hasSentNothingSince, longestInactiveFirst } from './silent-nodes';

/** A batch with maintenance records contains no other records (see `recordRuns`). */
export class MaintenanceChanges implements BatchPart {
  private readonly given: { readonly document: WireMaintenance; readonly record: LogRecord }[] = [];

  constructor(private readonly starts: PastStarts) {}

  add(document: WireMaintenance, record: LogRecord): void {
    this.given.push({ document, record });
  }

  get hasRemovals(): boolean {
    return this.given.some(
      ({ document }) =>
        (document.kind === 'age limits' &&
          (document.reportsBefore !== null || document.eventsBefore !== null || document.historyBefore !== null)) ||
        (document.kind === 'nodes restoration' && document.events !== null),
    );
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    for (const { document, record } of this.given) {
      const tables = { session, schema, keepsPast: this.starts.size > 0, isNoted: isInPast(this.starts, record) };
      if (document.kind === 'age limits') await applyAgeLimits(tables, document, record);
      else if (document.kind === 'nodes restoration') await restoreNodes(tables, document, record);
      else {
        await deleteNodes(session, schema, [key64(document.certname)]);
        if (tables.isNoted) await insertDeletion(session, schema, document.certname, record);
      }
    }
    onStep('remove_rows');
  }

  async forgetLetters(session: Session): Promise<void> {
    const deleted = this.given.filter(({ document }) => document.kind === 'node deletion');
    await forgetLettersOf(
      session,
      deleted.map(({ document, record: { partition, offset } }) => ({
        certname: document.certname,
        partition,
        offset,
      })),
    );
  }
}

const hasNoDocument = documentTimeColumns(({ isKept }) => isKept)
  .map((column) => `${column} IS NULL`)
  .join(' AND ');

/** SQL condition that the node `n` is in all subsets that `$1` and `$2` describe. */
const isMeant = isIn('n.node', '$1::int[]', '$2::int[]');

const keysOf = (rows: readonly { readonly node: string }[]): string[] => rows.map(({ node }) => node);

interface Tables {
  readonly session: Session;
  readonly schema: string;
  readonly keepsPast: boolean;
  /** Whether the timeline gets rows for the changes of the record. */
  readonly isNoted: boolean;
}

async function applyAgeLimits(
  { session, schema, keepsPast, isNoted }: Tables,
  { nodes, expiry, purge, reportsBefore, eventsBefore, historyBefore }: WireAgeLimits,
  record: LogRecord,
): Promise<void> {
  const { partition, offset } = record;
  const { parts, ofParts } = partsOf(nodes);
  const run = <R>(text: string, ...values: unknown[]): Promise<R[]> =>
    session.query<R>({ text, values: [arrayLiteral(parts), arrayLiteral(ofParts), ...values] });
  /**
   * Selects the nodes before the update, because the update can change the result of the condition. Returns their keys.
   */
  const changeNodes = (nodesOf: string, assignments: string, ...values: unknown[]): Promise<{ node: string }[]> => {
    const moved = insertPast(schema, 'nodes', '$3::bigint', 't', 's.node = t.node');
    return run(
      `WITH t AS MATERIALIZED (${nodesOf})${keepsPast ? `, moved AS (${moved})` : ''}
       UPDATE ${schema}.nodes s SET ${assignments}, since = $3 FROM t WHERE s.node = t.node RETURNING s.node::text AS node`,
      ...[offset, ...values],
    );
  };
  if (expiry !== null) {
    const expired = await changeNodes(
      `SELECT n.node FROM ${schema}.nodes n WHERE ${hasSentNothingSince('$5')} AND ${isMeant} ORDER BY n.node LIMIT $7`,
      'expired = $4, expired_cutoff = $5, log_partition = $6, log_offset = $3',
      ...[expiry.expired, expiry.cutoff, partition, expiry.most],
    );
    if (isNoted) await insertExpiries(session, schema, keysOf(expired), record);
  }
  if (purge !== null) {
    const gone = await run<{ node: string }>(
      `SELECT n.node::text AS node FROM ${schema}.nodes n WHERE ${isInactiveSince('$3')} AND ${isMeant} ORDER BY ${longestInactiveFirst} LIMIT $4`,
      ...[purge.cutoff, purge.most],
    );
    await purgeNodes(session, schema, keysOf(gone), keepsPast ? offset : undefined);
    if (gone.length > 0) await noteRemoved(session, schema, 'nodes', purge.cutoff, { partition, offset });
  }
  if (reportsBefore !== null) {
    // The latest report is the newest report from the agent of the node. If an age limit deletes this report, it
    // deletes all other reports of the node, too.
    await changeNodes(
      `SELECT n.node FROM ${schema}.nodes n WHERE n.report_producer_timestamp < $4 AND ${isMeant}`,
      latestReportFields.map((field) => `${nodeColumn(field)} = NULL`).join(', '),
      reportsBefore,
    );
    await run(
      deleteRows(
        schema,
        'latest_reports',
        `WHERE s.producer_timestamp < $4 AND $3::bigint IS NOT NULL AND ${isIn('s.node', '$1::int[]', '$2::int[]')}`,
        keepsPast ? '$3::bigint' : undefined,
      ),
      ...[offset, reportsBefore],
    );
    // A snapshot keeps a node that has a document, or whose state a record has changed. A node that now has no
    // document, and whose state no record has changed, gets this record as the record that changed its state.
    await run(
      `UPDATE ${schema}.nodes n SET log_partition = $4, log_offset = $5
       WHERE ${hasNoDocument} AND n.log_offset IS NULL AND ${isMeant}
         AND NOT EXISTS (SELECT FROM ${schema}.reports r WHERE r.node = n.node AND r.producer_timestamp >= $3)`,
      ...[reportsBefore, partition, offset],
    );
    await removal(session, schema, { kind: 'r', before: reportsBefore, of: nodes }, { partition, offset });
    await noteRemoved(session, schema, 'reports', reportsBefore, { partition, offset });
  }
  if (eventsBefore !== null) {
    await removal(session, schema, { kind: 'e', before: eventsBefore, of: nodes }, { partition, offset });
    await noteRemoved(session, schema, 'events', eventsBefore, { partition, offset });
  }
  if (historyBefore !== null) await endPast(session, schema, partition, historyBefore);
  if (keepsPast) await deleteOldDeletions(session, schema, record);
}

/**
 * Inserts a row into `removals`, and deletes rows that the new row makes unnecessary: rows with an earlier time, and
 * rows about events if the reports are removed.
 */
async function removal(
  session: Session,
  schema: string,
  {
    kind,
    before,
    of,
  }: { readonly kind: RemovalKind; readonly before: string; readonly of: readonly PartitionOfNodes[] },
  { partition, offset }: Position,
): Promise<void> {
  const { parts, ofParts } = partsOf(of);
  const values = [arrayLiteral(parts), arrayLiteral(ofParts), kind, partition, before];
  await session.query({
    text: `DELETE FROM ${schema}.removals WHERE (kind = $3::"char" OR $3::"char" = 'r') AND log_partition = $4 AND before <= $5
             AND parts = $1::int[] AND of_parts = $2::int[]`,
    values,
  });
  await session.query({
    text: `INSERT INTO ${schema}.removals (kind, log_partition, log_offset, before, parts, of_parts)
           VALUES ($3::"char", $4, $6, $5, $1, $2)`,
    values: [...values, offset],
  });
}

/** Makes the same changes as `foldNodeRestoration`. */
async function restoreNodes(
  { session, schema, keepsPast, isNoted }: Tables,
  { nodes, events }: WireNodesRestoration,
  record: LogRecord,
): Promise<void> {
  const { partition, offset } = record;
  const life = ['deactivated', 'expired', 'expired_cutoff', 'expires_facts', 'expires_facts_updated'];
  const columns = ['node', 'certname', ...life, 'log_partition', 'log_offset', 'since'];
  const rows = new RowSet('nodes', tableColumns('nodes', columns));
  for (const node of nodes) {
    const { certname, deactivated, expired, expiredCutoff, expireFacts, expireFactsUpdated } = node;
    const times = [deactivated, expired, expiredCutoff] as const;
    rows.push(key64(certname), certname, ...times, expireFacts, expireFactsUpdated, partition, offset, offset);
  }
  if (isNoted) await insertRestorations(session, schema, nodes, record);
  await rows.replace(session, schema, { keepsPast });
  if (keepsPast) {
    const keys = arrayLiteral(nodes.map(({ certname }) => key64(certname)));
    await session.query({
      text: `INSERT INTO ${schema}.known_nodes SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING`,
      values: [keys],
    });
  }
  if (events !== null) await removal(session, schema, { kind: 'e', ...events }, { partition, offset });
}

import { arrayLiteral, type Session } from '#database';
import type { Position } from '#log';
import type { PartitionOfNodes, WireAgeLimits, WireNodesRestoration, WireOfPartition } from '#wire';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import { deleteNodes } from '../lifecycle/delete-nodes';
import { documentTimeColumns } from '../nodes/life-signs';
import { latestReportFields, nodeColumns } from '../nodes/node-columns';
import { RowSet } from '../row-set';
import type { RemovalKind } from './removed-reports';
import { isIn, partsOf } from './nodes-of';
import { isInactiveSince, hasSentNothingSince, longestInactiveFirst } from './silent-nodes';

/**
 * What a batch of records about partitions changes. They are applied to the rows as they stand, one after the other, so such a batch holds
 * nothing else.
 */
export class PartitionChanges implements BatchPart {
  private readonly given: { readonly document: WireOfPartition; readonly place: Position }[] = [];

  add(document: WireOfPartition, { partition, offset }: Position): void {
    this.given.push({ document, place: { partition, offset } });
  }

  /** True where `deleteRemovedRows` finds something to do after the batch. */
  get hasRemovals(): boolean {
    return this.given.some(
      ({ document }) =>
        (document.kind === 'age limits' && (document.reportsBefore !== null || document.eventsBefore !== null)) ||
        (document.kind === 'nodes restoration' && document.events !== null),
    );
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    for (const { document, place } of this.given) {
      if (document.kind === 'age limits') await applyAgeLimits(session, schema, document, place);
      else await restoreNodes(session, schema, document, place);
    }
    onStep('remove_rows');
  }
}

const hasNoDocument = documentTimeColumns(({ isKept }) => isKept)
  .map((column) => `${column} IS NULL`)
  .join(' AND ');

/** `$1` and `$2` say whose nodes are meant. */
const isMeant = isIn('n.node', '$1::int[]', '$2::int[]');

async function applyAgeLimits(
  session: Session,
  schema: string,
  { nodes, expiry, purge, reportsBefore, eventsBefore }: WireAgeLimits,
  { partition, offset }: Position,
): Promise<void> {
  const { parts, ofParts } = partsOf(nodes);
  const run = <R>(text: string, ...values: unknown[]): Promise<R[]> =>
    session.query<R>({ text, values: [arrayLiteral(parts), arrayLiteral(ofParts), ...values] });
  if (expiry !== null) {
    await run(
      `UPDATE ${schema}.nodes s SET expired = $3, expired_cutoff = $4, log_partition = $5, log_offset = $6
       WHERE s.node IN (SELECT n.node FROM ${schema}.nodes n WHERE ${hasSentNothingSince('$4')} AND ${isMeant} ORDER BY n.node LIMIT $7)`,
      ...[expiry.expired, expiry.cutoff, partition, offset, expiry.most],
    );
  }
  if (purge !== null) {
    const gone = await run<{ node: string }>(
      `SELECT n.node::text AS node FROM ${schema}.nodes n WHERE ${isInactiveSince('$3')} AND ${isMeant} ORDER BY ${longestInactiveFirst} LIMIT $4`,
      ...[purge.cutoff, purge.most],
    );
    await deleteNodes(
      session,
      schema,
      gone.map(({ node }) => node),
    );
  }
  if (reportsBefore !== null) {
    // The latest is the newest of its agent's reports: where it goes, all of them go.
    await run(
      `UPDATE ${schema}.nodes n SET ${latestReportFields.map((field) => `${nodeColumns[field].name} = NULL`).join(', ')}
       WHERE n.report_producer_timestamp < $3 AND ${isMeant}`,
      reportsBefore,
    );
    await run(`DELETE FROM ${schema}.latest_reports n WHERE n.producer_timestamp < $3 AND ${isMeant}`, reportsBefore);
    // Nothing is left that tells of such a node: no document, and no record that changed its life.
    await run(
      `UPDATE ${schema}.nodes n SET log_partition = $4, log_offset = $5
       WHERE ${hasNoDocument} AND n.log_offset IS NULL AND ${isMeant}
         AND NOT EXISTS (SELECT FROM ${schema}.reports r WHERE r.node = n.node AND r.producer_timestamp >= $3)`,
      ...[reportsBefore, partition, offset],
    );
    await removal(session, schema, { kind: 'r', before: reportsBefore, of: nodes }, { partition, offset });
  }
  if (eventsBefore !== null) {
    await removal(session, schema, { kind: 'e', before: eventsBefore, of: nodes }, { partition, offset });
  }
}

/** Earlier removals that take no more are not needed any longer: those of events neither, where their reports go. */
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
  const place = [arrayLiteral(parts), arrayLiteral(ofParts), kind, partition, before];
  await session.query({
    text: `DELETE FROM ${schema}.removals WHERE (kind = $3::"char" OR $3::"char" = 'r') AND log_partition = $4 AND before <= $5
             AND parts = $1::int[] AND of_parts = $2::int[]`,
    values: place,
  });
  await session.query({
    text: `INSERT INTO ${schema}.removals (kind, log_partition, log_offset, before, parts, of_parts)
           VALUES ($3::"char", $4, $6, $5, $1, $2)`,
    values: [...place, offset],
  });
}

/** As `foldNodeRestoration`, for many nodes at once. */
async function restoreNodes(
  session: Session,
  schema: string,
  { nodes, events }: WireNodesRestoration,
  { partition, offset }: Position,
): Promise<void> {
  const life = [
    { name: 'deactivated', type: 'timestamptz' },
    { name: 'expired', type: 'timestamptz' },
    { name: 'expired_cutoff', type: 'timestamptz' },
    { name: 'expires_facts', type: 'boolean' },
    { name: 'expires_facts_updated', type: 'timestamptz' },
    { name: 'log_partition', type: 'int' },
    { name: 'log_offset', type: 'bigint' },
  ];
  const rows = new RowSet('nodes', [{ name: 'node', type: 'bigint' }, { name: 'certname', type: 'text' }, ...life]);
  for (const node of nodes) {
    const { certname, deactivated, expired, expiredCutoff, expireFacts, expireFactsUpdated } = node;
    const times = [deactivated, expired, expiredCutoff] as const;
    rows.push(key64(certname), certname, ...times, expireFacts, expireFactsUpdated, partition, offset);
  }
  const assignments = life.map(({ name }) => `${name} = excluded.${name}`).join(', ');
  await rows.insert(session, schema, `ON CONFLICT (node) DO UPDATE SET ${assignments}`);
  if (events !== null) await removal(session, schema, { kind: 'e', ...events }, { partition, offset });
}

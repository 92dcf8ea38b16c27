import { arrayLiteral, type Session } from '#database';
import type { Position } from '#log';
import { forgetLettersOf, type DeletedNode } from '../dead-letters/forget-letters';
import type { IsoTime, WireLifecycle } from '#wire';
import type { NodeState } from '../node-state';
import { foldNodeDeletion, foldNodeExpiry, foldNodePurge, foldReportPurge } from './fold-lifecycle';

/** The tables that hold rows of a node by its key; those below a report are found by the report. */
const nodeTables = [
  'fact_contents',
  'facts',
  'factsets',
  'package_inventory',
  'catalog_inputs',
  'catalog_resources',
  'catalog_edges',
  'catalogs',
  'latest_reports',
  'nodes',
];

/** Later than every report, also as text: a node that goes takes all of them along. */
const ever = 'infinity';

/**
 * What a batch of maintenance records removes. Such a batch holds no document, so that the order between a document and
 * a removal of its node is the order of batches.
 */
export class Removals {
  private readonly nodes = new Set<string>();
  private readonly deleted: DeletedNode[] = [];
  /** For each node the time before which its reports go. */
  private readonly reportsBefore = new Map<string, IsoTime>();

  apply(state: NodeState, document: WireLifecycle, place: Position): void {
    switch (document.kind) {
      case 'node expiry':
        foldNodeExpiry(state, document, place);
        break;
      case 'node purge':
        if (foldNodePurge(state, document)) this.remove(state.node);
        break;
      case 'node deletion':
        foldNodeDeletion(state);
        this.remove(state.node);
        this.deleted.push({ certname: state.certname, partition: place.partition, offset: place.offset });
        break;
      case 'report purge':
        this.removeReports(state.node, foldReportPurge(state, document, place));
        break;
    }
  }

  /** Forgets the dead letters of the nodes that were deleted. */
  async forgetLetters(session: Session): Promise<void> {
    await forgetLettersOf(session, this.deleted);
  }

  private remove(node: string): void {
    this.nodes.add(node);
    this.removeReports(node, ever);
  }

  private removeReports(node: string, before: IsoTime): void {
    const known = this.reportsBefore.get(node);
    if (known === undefined || before > known) this.reportsBefore.set(node, before);
  }

  async writeRows(session: Session, schema: string): Promise<void> {
    if (this.reportsBefore.size > 0) await this.deleteReports(session, schema);
    if (this.nodes.size === 0) return;
    const nodes = arrayLiteral([...this.nodes].sort());
    for (const table of nodeTables) {
      await session.query({ text: `DELETE FROM ${schema}.${table} WHERE node = ANY($1::bigint[])`, values: [nodes] });
    }
  }

  private async deleteReports(session: Session, schema: string): Promise<void> {
    const deleted = await session.query<{ report: string }>({
      text: `DELETE FROM ${schema}.reports r USING unnest($1::bigint[], $2::timestamptz[]) AS t(node, before)
             WHERE r.node = t.node AND r.producer_timestamp < t.before
             RETURNING r.report::text AS report`,
      values: [arrayLiteral([...this.reportsBefore.keys()]), arrayLiteral([...this.reportsBefore.values()])],
    });
    if (deleted.length === 0) return;
    const reports = arrayLiteral(deleted.map(({ report }) => report));
    for (const table of ['resource_events', 'event_counts', 'latest_reports']) {
      await session.query({ text: `DELETE FROM ${schema}.${table} WHERE report = ANY($1::uuid[])`, values: [reports] });
    }
  }
}

import type { Session } from '#database';
import type { Position } from '#log';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { forgetLettersOf, type DeletedNode } from '../dead-letters/forget-letters';
import type { IsoTime, WireLifecycle } from '#wire';
import type { NodeState } from '../node-state';
import { deleteReportsBefore, deleteRowsOfNodes, afterAllReports } from './delete-nodes';
import { foldNodeDeletion, foldNodeExpiry, foldNodePurge, foldReportPurge } from './fold-lifecycle';

/**
 * What a batch of maintenance records removes. Such a batch holds no document, so that the order between a document and
 * a removal of its node is the order of batches.
 */
export class Removals implements BatchPart {
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
    this.removeReports(node, afterAllReports);
  }

  private removeReports(node: string, before: IsoTime): void {
    const known = this.reportsBefore.get(node);
    if (known === undefined || before > known) this.reportsBefore.set(node, before);
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.reportsBefore.size > 0) await deleteReportsBefore(session, schema, this.reportsBefore);
    if (this.nodes.size > 0) await deleteRowsOfNodes(session, schema, [...this.nodes]);
    onStep('remove_rows');
  }
}

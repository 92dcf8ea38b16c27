import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { WireCatalogInputs } from '#wire';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';

/** Changes of a batch to catalog inputs: the newest list of each node. */
export class InputChanges implements BatchPart {
  private readonly pending = new Map<NodeState, { readonly inputs: WireCatalogInputs; readonly record: LogRecord }>();

  add(state: NodeState, inputs: WireCatalogInputs, record: LogRecord): void {
    this.pending.set(state, { inputs, record });
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const rows = new RowSet('catalog_inputs', [
      { name: 'node', type: 'bigint' },
      { name: 'producer_timestamp', type: 'timestamptz' },
      { name: 'catalog_uuid', type: 'text' },
      { name: 'types', type: 'text[]' },
      { name: 'names', type: 'text[]' },
      { name: 'log_partition', type: 'int' },
      { name: 'log_offset', type: 'bigint' },
    ]);
    for (const [state, { inputs, record }] of this.pending) {
      rows.push(
        state.node,
        state.row.inputsProducerTimestamp,
        inputs.catalogUuid,
        arrayLiteral(inputs.inputs.map(([type]) => type)),
        arrayLiteral(inputs.inputs.map(([, name]) => name)),
        record.partition,
        record.offset,
      );
    }
    await rows.replace(session, schema);
    onStep('write_inputs');
  }
}

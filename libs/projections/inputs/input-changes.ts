import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireCatalogInputs } from '#wire';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { Versions } from '../history/versions';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';

interface PendingInputs {
  readonly inputs: WireCatalogInputs;
  readonly producerTimestamp: IsoTime | null;
  readonly record: LogRecord;
}

export class InputChanges implements BatchPart {
  private readonly pending: Versions<string, PendingInputs>;

  constructor(private readonly keepsPast: boolean) {
    this.pending = new Versions(keepsPast);
  }

  add({ node, row }: NodeState, inputs: WireCatalogInputs, record: LogRecord): void {
    this.pending.add(node, { inputs, producerTimestamp: row.inputsProducerTimestamp, record });
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    for (const part of this.pending.parts) {
      const rows = new RowSet('catalog_inputs');
      for (const [node, { inputs, producerTimestamp, record }] of part) {
        rows.push(
          node,
          producerTimestamp,
          inputs.catalogUuid,
          arrayLiteral(inputs.inputs.map(([type]) => type)),
          arrayLiteral(inputs.inputs.map(([, name]) => name)),
          record.partition,
          record.offset,
        );
      }
      await rows.replace(session, schema, { keepsPast: this.keepsPast });
    }
    onStep('write_inputs');
  }
}

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { lifecycleCommands } from '#wire';
import { MaintenanceRecords } from '../maintenance-records';
import { DeleteNode } from './delete-node';

/**
 * Appends the record for an unknown node, too, because documents of the node may be in the log and not yet applied.
 * Documents after the record create the node again. Throws the faults of `MaintenanceRecords`.
 */
@CommandHandler(DeleteNode)
export class DeleteNodeHandler implements ICommandHandler<DeleteNode> {
  constructor(private readonly records: MaintenanceRecords) {}

  execute({ certname }: DeleteNode): Promise<void> {
    const payload = JSON.stringify({ certname });
    return this.records.apply([{ ...lifecycleCommands.deleteNode, certname, payload }], Date.now());
  }
}

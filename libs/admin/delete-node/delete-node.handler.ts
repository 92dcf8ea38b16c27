import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { lifecycleCommands } from '#wire';
import { MaintenanceRecords } from '../maintenance-records';
import { DeleteNode } from './delete-node';

/**
 * Appends one record, even for an unknown node, because documents in the log before that record that are not applied yet
 * must be deleted, too. Later documents create the node again. Faults: those of MaintenanceRecords.
 */
@CommandHandler(DeleteNode)
export class DeleteNodeHandler implements ICommandHandler<DeleteNode> {
  constructor(private readonly records: MaintenanceRecords) {}

  execute({ certname }: DeleteNode): Promise<void> {
    const payload = JSON.stringify({ certname });
    return this.records.apply([{ ...lifecycleCommands.deleteNode, certname, payload }], Date.now());
  }
}

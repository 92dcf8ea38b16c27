import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { lifecycleCommands } from '#wire';
import { MaintenanceRecords } from '../maintenance-records';
import { DeleteNode } from './delete-node';

/**
 * Appends one record, whether the node is known or not: its documents that are in the log before that record and are not
 * applied yet are deleted, too. Later documents bring the node back. Faults: those of MaintenanceRecords.
 */
@CommandHandler(DeleteNode)
export class DeleteNodeHandler implements ICommandHandler<DeleteNode> {
  constructor(private readonly records: MaintenanceRecords) {}

  execute({ certname }: DeleteNode): Promise<void> {
    const payload = JSON.stringify({ certname });
    return this.records.apply([{ ...lifecycleCommands.deleteNode, certname, payload }], Date.now());
  }
}

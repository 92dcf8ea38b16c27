import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { lifecycleCommands } from '#wire';
import { NodeRecords } from '../node-records';
import { DeleteNode } from './delete-node';

/**
 * Gives one record, whether the node is known or not: documents of it that stand in the log before that record and are
 * not applied yet go too; later ones bring the node back. Faults: those of NodeRecords.
 */
@CommandHandler(DeleteNode)
export class DeleteNodeHandler implements ICommandHandler<DeleteNode> {
  constructor(private readonly records: NodeRecords) {}

  execute({ certname }: DeleteNode): Promise<void> {
    return this.records.apply([{ ...lifecycleCommands.deleteNode, certname, members: {} }], Date.now());
  }
}

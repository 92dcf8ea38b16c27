import { Command } from '@nestjs/cqrs';

/** Deletes a node with all its data. Deleting an unknown node is not an error. */
export class DeleteNode extends Command<void> {
  constructor(readonly certname: string) {
    super();
  }
}

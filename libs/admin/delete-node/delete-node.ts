import { Command } from '@nestjs/cqrs';

/** Removes a node with all that is stored of it. A node that nobody knows is no error. */
export class DeleteNode extends Command<void> {
  constructor(readonly certname: string) {
    super();
  }
}

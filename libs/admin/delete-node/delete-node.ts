import { Command } from '@nestjs/cqrs';

/** Removes a node with all its stored data. An unknown node is not an error. */
export class DeleteNode extends Command<void> {
  constructor(readonly certname: string) {
    super();
  }
}

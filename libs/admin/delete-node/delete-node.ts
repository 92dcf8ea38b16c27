import { Command } from '@nestjs/cqrs';

/** Deleting an unknown node is not an error. */
export class DeleteNode extends Command<void> {
  constructor(readonly certname: string) {
    super();
  }
}

import { PassThrough } from 'node:stream';
import { archiveEntries } from '#archive';
import { defaultLimits } from '#limits';

/** Counts the entries of an archive that passes by. What is wrong with it, the service says. */
export class EntryCounter {
  count = 0;
  private readonly copy = new PassThrough();

  constructor() {
    this.copy.on('error', () => undefined);
    void this.run().catch(() => this.copy.destroy());
  }

  /** Gives the pieces on, each when it has been looked at. */
  async *passing(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (!this.copy.destroyed && !this.copy.write(piece)) await this.drained();
      yield piece;
    }
    this.copy.end();
  }

  private drained(): Promise<void> {
    const { copy } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        copy.off('drain', done).off('close', done);
        resolve();
      };
      copy.once('drain', done).once('close', done);
    });
  }

  private async run(): Promise<void> {
    for await (const entry of archiveEntries(this.copy as AsyncIterable<Buffer>, defaultLimits)) {
      if (!entry.isFolder) this.count += 1;
    }
  }
}

import type { Session } from '#database';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import type { KnownKeys } from '../known-keys';
import { SharedNames } from './shared-names';

export class NameChanges implements BatchPart, NameKeys {
  private readonly environments: SharedNames;
  private readonly producers: SharedNames;

  constructor(known: KnownKeys) {
    this.environments = new SharedNames('environments', known);
    this.producers = new SharedNames('producers', known);
  }

  environment(name: string | null): string | null {
    return this.environments.key(name);
  }

  producer(name: string | null): string | null {
    return this.producers.key(name);
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    await this.environments.write(session, schema);
    await this.producers.write(session, schema);
    onStep('write_names');
  }

  committed(): void {
    this.environments.committed();
    this.producers.committed();
  }
}

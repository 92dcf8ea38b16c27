import type { Session } from '#database';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import type { KnownKeys } from '../known-keys';
import { RowSet } from '../row-set';

const tables = ['environments', 'producers'] as const;

/** Names that many rows share. All projectors insert them in the order of their keys, to prevent deadlocks. */
export class NameChanges implements BatchPart, NameKeys {
  private readonly pending = { environments: new Map<string, string>(), producers: new Map<string, string>() };

  constructor(private readonly known: KnownKeys) {}

  environment(name: string | null): string | null {
    return this.key('environments', name);
  }

  producer(name: string | null): string | null {
    return this.key('producers', name);
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    for (const table of tables) {
      const rows = new RowSet(table);
      for (const [key, name] of this.pending[table]) rows.push(key, name);
      await rows.insert(session, schema, 'ORDER BY 1 ON CONFLICT DO NOTHING');
    }
    onStep('write_names');
  }

  committed(): void {
    for (const table of tables) for (const key of this.pending[table].keys()) this.known.add(`${table}/${key}`);
  }

  /** Returns the key of a name, and adds the name to the names that `writeShared` inserts. */
  private key(table: (typeof tables)[number], name: string | null): string | null {
    if (name === null) return null;
    const key = key64(name);
    if (!this.known.has(`${table}/${key}`)) this.pending[table].set(key, name);
    return key;
  }
}

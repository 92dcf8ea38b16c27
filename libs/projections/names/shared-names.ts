import type { Session } from '#database';
import { key64 } from '../keys';
import type { KnownKeys } from '../known-keys';
import { RowSet } from '../row-set';

/** Names that many rows share. All projectors insert them in the order of their keys, to prevent deadlocks. */
export class SharedNames {
  private readonly pending = new Map<string, string>();

  constructor(
    private readonly table: 'environments' | 'producers',
    private readonly known: KnownKeys,
  ) {}

  /** Returns the key of a name, and adds the name to the names that `write` inserts. */
  key(name: string | null): string | null {
    if (name === null) return null;
    const key = key64(name);
    if (!this.known.has(`${this.table}/${key}`)) this.pending.set(key, name);
    return key;
  }

  async write(session: Session, schema: string): Promise<void> {
    const rows = new RowSet(this.table);
    for (const key of [...this.pending.keys()].sort()) rows.push(key, this.pending.get(key) as string);
    await rows.insert(session, schema, 'ORDER BY 1 ON CONFLICT DO NOTHING');
  }

  committed(): void {
    for (const key of this.pending.keys()) this.known.add(`${this.table}/${key}`);
  }
}

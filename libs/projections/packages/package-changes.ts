import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { WireFactset } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';

type Package = readonly [name: string, version: string, provider: string];

/** Changes of a batch to package inventories: the newest list of each node, if it differs from the stored one. */
export class PackageChanges implements BatchPart {
  private readonly pending = new Map<NodeState, { readonly facts: WireFactset; readonly offset: number }>();
  private readonly newPackages = new Map<string, Package>();
  private readonly removed: string[] = [];
  private readonly inventories = new RowSet('package_inventory', [
    { name: 'node', type: 'bigint' },
    { name: 'digest', type: 'bytea' },
    { name: 'packages', type: 'bigint[]' },
    { name: 'since', type: 'bigint' },
  ]);

  constructor(private readonly known: KnownKeys) {}

  /** Adds a factset that counts. Without packages, it removes the stored ones. */
  add(state: NodeState, facts: WireFactset, { offset }: LogRecord): void {
    this.pending.set(state, { facts, offset });
  }

  prepare(_names: NameKeys, onStep: StepWatch): void {
    for (const [state, { facts, offset }] of this.pending) {
      const { packageDigest: digest } = facts;
      if (digest === undefined) {
        if (state.packageDigest !== undefined) this.removed.push(state.node);
        continue;
      }
      if (state.packageDigest?.equals(digest)) continue;
      const keys = facts.packages!.map((one) => {
        const key = key64(one.join('\0'));
        if (!this.known.has(`package/${key}`)) this.newPackages.set(key, one);
        return BigInt(key);
      });
      const sorted = keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String);
      this.inventories.push(state.node, `\\x${digest.toString('hex')}`, arrayLiteral(sorted), offset);
    }
    onStep('prepare_facts');
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const rows = new RowSet('packages', [
      { name: 'package', type: 'bigint' },
      { name: 'name', type: 'text' },
      { name: 'version', type: 'text' },
      { name: 'provider', type: 'text' },
    ]);
    for (const [key, [name, version, provider]] of this.newPackages) rows.push(key, name, version, provider);
    await rows.insert(session, schema, 'ORDER BY 1 ON CONFLICT DO NOTHING');
    onStep('write_facts');
  }

  committed(): void {
    for (const key of this.newPackages.keys()) this.known.add(`package/${key}`);
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.removed.length > 0) {
      await session.query({
        text: `DELETE FROM ${schema}.package_inventory WHERE node = ANY($1::bigint[])`,
        values: [arrayLiteral(this.removed)],
      });
    }
    await this.inventories.replace(session, schema);
    onStep('write_facts');
  }
}

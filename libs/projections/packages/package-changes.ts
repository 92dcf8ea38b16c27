import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { WireFactset } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import { deleteRows } from '../history/move-to-past';
import { Versions } from '../history/versions';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';
import { tableColumns } from '../schema/read-tables';
import { originOf } from '../timeline/life-changes';
import { mostNamed, type Origin, type TimelineChanges } from '../timeline/timeline-changes';
import { compareInventories } from './compare-inventories';

interface PendingInventory {
  readonly facts: WireFactset;
  /** Undefined if the packages equal the previous packages. */
  readonly packages: WireFactset['packages'];
  readonly record: LogRecord;
}

type Package = readonly [name: string, version: string, provider: string];

class InventoryRows {
  readonly removed = new RowSet('package_inventory', tableColumns('package_inventory', ['node', 'since']));
  readonly inventories = new RowSet('package_inventory');
  /**
   * Nodes whose new inventory is compared with the stored inventory, so that the timeline gets the numbers of changes.
   */
  readonly compared = new Map<string, { readonly packages: string; readonly origin: Origin }>();
}

export class PackageChanges implements BatchPart {
  private readonly pending: Versions<NodeState, PendingInventory>;
  private readonly newPackages = new Map<string, Package>();
  private readonly rows: InventoryRows[] = [];

  constructor(
    private readonly known: KnownKeys,
    private readonly keepsPast: boolean,
    private readonly timeline: TimelineChanges,
  ) {
    this.pending = new Versions(keepsPast);
  }

  /**
   * The factset must not be older than the stored factset. A factset without a package inventory removes the stored
   * packages of the node.
   */
  add(state: NodeState, facts: WireFactset, record: LogRecord): void {
    // If the tables keep no past, only the newest factset of the batch is written. If its `packages` is undefined, its
    // packages equal those of an earlier factset of the batch.
    const packages = facts.packages ?? this.pending.newest(state)?.packages;
    this.pending.add(state, { facts, packages, record });
  }

  newestDigest(state: NodeState): Buffer | undefined {
    const newest = this.pending.newest(state);
    return newest === undefined ? state.packageDigest : newest.facts.packageDigest;
  }

  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const part of this.pending.parts) {
      const rows = new InventoryRows();
      this.rows.push(rows);
      for (const [state, pending] of part) this.compare(state, pending, names, rows);
    }
    onStep('prepare_facts');
  }

  private compare(
    state: NodeState,
    { facts, packages: list, record }: PendingInventory,
    names: NameKeys,
    { removed, inventories, compared }: InventoryRows,
  ): void {
    const { packageDigest: digest } = facts;
    const origin = originOf(facts, record, names);
    const { offset } = record;
    if (digest === undefined) {
      if (state.packageDigest !== undefined) {
        removed.push(state.node, offset);
        compared.set(state.node, { packages: '{}', origin });
      }
    } else if (state.packageDigest?.equals(digest) !== true) {
      const keys = list!.map((one) => {
        const key = key64(one.join('\0'));
        if (!this.known.has(`package/${key}`)) this.newPackages.set(key, one);
        return BigInt(key);
      });
      const sorted = keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String);
      const packages = arrayLiteral(sorted);
      inventories.push(state.node, `\\x${digest.toString('hex')}`, packages, offset);
      if (state.packageDigest !== undefined) compared.set(state.node, { packages, origin });
      else if (sorted.length > 0) {
        const counts = { added: sorted.length, changed: 0, removed: 0, packageKeys: sorted.slice(0, mostNamed) };
        this.timeline.add(state.node, 'packages', origin, counts);
      }
    }
    state.packageDigest = digest;
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const rows = new RowSet('packages');
    for (const [key, [name, version, provider]] of this.newPackages) rows.push(key, name, version, provider);
    await rows.insert(session, schema, 'ORDER BY 1 ON CONFLICT DO NOTHING');
    onStep('write_facts');
  }

  committed(): void {
    for (const key of this.newPackages.keys()) this.known.add(`package/${key}`);
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const { keepsPast } = this;
    for (const { removed, inventories, compared } of this.rows) {
      if (keepsPast) await this.noteChanges(session, schema, compared);
      if (removed.size > 0) {
        const condition = `USING ${removed.source} WHERE s.node = t.node::bigint`;
        await session.query({
          text: deleteRows(schema, 'package_inventory', condition, keepsPast ? 't.since::bigint' : undefined),
          values: removed.values,
        });
      }
      await inventories.replace(session, schema, { keepsPast });
    }
    onStep('write_facts');
  }
  private async noteChanges(session: Session, schema: string, compared: InventoryRows['compared']): Promise<void> {
    const inventories = new Map([...compared].map(([node, { packages }]) => [node, packages]));
    const changes = await compareInventories(session, schema, inventories);
    for (const [node, { origin }] of compared) {
      const counts = changes.get(node);
      if (counts !== undefined) this.timeline.add(node, 'packages', origin, counts);
    }
  }
}

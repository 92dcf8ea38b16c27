import type { Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, LeafType, WireFact, WireFactset } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { type Cell, CopyRows } from '../copy-rows';
import { key64, key64Bytes, key64OfBytes, pathKey } from '../keys';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';

/** Bytes of an entry in the digest of a factset: the key of a fact, and its digest. */
const entryBytes = 16;
const keyBytes = 8;
const typeCodes: Record<LeafType, string> = { string: 's', integer: 'i', float: 'f', boolean: 'b', null: 'n' };

interface PendingFactset {
  readonly state: NodeState;
  readonly facts: WireFactset;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
}

interface Rows {
  push(...row: Cell[]): void;
}

/** Changes of a batch to facts: the newest factset of each node, compared with the stored one fact by fact. */
export class FactChanges implements BatchPart {
  private readonly pending = new Map<string, PendingFactset>();

  constructor(private readonly known: KnownKeys) {}

  /** Adds a factset that counts. A later one of the same node replaces it. */
  add(state: NodeState, facts: WireFactset, receivedAt: IsoTime, record: LogRecord): void {
    this.pending.set(state.node, { state, facts, receivedAt, record });
  }

  private readonly newPaths = new RowSet('fact_paths', [
    { name: 'path', type: 'bigint' },
    { name: 'fact', type: 'bigint' },
    { name: 'name', type: 'text' },
    { name: 'elements', type: 'jsonb' },
    { name: 'spelled', type: 'text' },
    { name: 'depth', type: 'int' },
  ]);
  private readonly newPathTypes = new RowSet('fact_path_types', [
    { name: 'path', type: 'bigint' },
    { name: 'type', type: '"char"' },
  ]);
  private readonly pathKeys = new Set<string>();
  /** Paths with the types of their leaves. */
  private readonly pathTypes = new Set<string>();
  private readonly factsets = new RowSet('factsets', [
    { name: 'node', type: 'bigint' },
    { name: 'timestamp', type: 'timestamptz' },
    { name: 'producer_timestamp', type: 'timestamptz' },
    { name: 'environment', type: 'bigint' },
    { name: 'producer', type: 'bigint' },
    { name: 'hash', type: 'text' },
    { name: 'digest', type: 'bytea' },
    { name: 'log_partition', type: 'int' },
    { name: 'log_offset', type: 'bigint' },
  ]);
  private readonly removed = new RowSet('facts', [...factKeyColumns, sinceColumn]);
  private readonly updated = new RowSet('facts', factColumns);
  private readonly updatedContents = new RowSet('fact_contents', contentColumns);
  private readonly added = new CopyRows('facts', factColumns);
  private readonly addedContents = new CopyRows('fact_contents', contentColumns);

  /** Compares each factset with the stored one, and makes the rows. */
  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const [node, { state, facts, receivedAt, record }] of this.pending) {
      const digest = this.compare(node, state.factDigest, facts, record.offset);
      this.factsets.push(
        node,
        receivedAt,
        facts.producerTimestamp,
        names.environment(facts.environment),
        names.producer(facts.producer),
        facts.hash,
        `\\x${digest.toString('hex')}`,
        record.partition,
        record.offset,
      );
    }
    onStep('prepare_facts');
  }

  /** Adds the facts that differ to the row sets. Returns the new digest (key and digest of each fact, sorted). */
  private compare(node: string, stored: Buffer | undefined, { facts }: WireFactset, since: number): Buffer {
    const entries = facts.map((fact) => key64Bytes(fact.name) + fact.digest);
    const digest = Buffer.from([...entries].sort().join(''), 'latin1');
    if (stored?.equals(digest)) return digest;
    const before = new Map<string, string>();
    const text = stored?.toString('latin1') ?? '';
    for (let at = 0; at < text.length; at += entryBytes) {
      before.set(text.slice(at, at + keyBytes), text.slice(at + keyBytes, at + entryBytes));
    }
    facts.forEach((fact, index) => {
      const key = entries[index]!.slice(0, keyBytes);
      const old = before.get(key);
      before.delete(key);
      if (old === undefined) this.write(node, key64(fact.name), fact, since, this.added, this.addedContents);
      else if (old !== fact.digest) this.write(node, key64(fact.name), fact, since, this.updated, this.updatedContents);
    });
    for (const key of before.keys()) this.removed.push(node, key64OfBytes(key), since);
    return digest;
  }

  private write(node: string, key: string, fact: WireFact, since: number, rows: Rows, contents: Rows): void {
    rows.push(node, key, fact.name, fact.value(), fact.spelled() ?? null, since);
    for (const leaf of fact.leaves()) {
      const path = pathKey(leaf.path);
      const type = typeCodes[leaf.type];
      this.writePath(path, type, key, fact, leaf.path);
      contents.push(node, key, path, type, leaf.value, leaf.spelled ?? null, since);
    }
  }

  private writePath(
    path: string,
    type: string,
    key: string,
    fact: WireFact,
    elements: readonly (string | number)[],
  ): void {
    const pathType = `path/${path}/${type}`;
    if (this.known.has(pathType) || this.pathTypes.has(pathType)) return;
    this.pathTypes.add(pathType);
    this.newPathTypes.push(path, type);
    if (this.pathKeys.has(path)) return;
    this.pathKeys.add(path);
    const spelled = elements.map(String).join('#~');
    this.newPaths.push(path, key, fact.name, JSON.stringify(elements), spelled, elements.length - 1);
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    // Without the condition, PostgreSQL would compute the generated columns of each path that is already stored.
    await this.newPaths.insert(
      session,
      schema,
      `WHERE NOT EXISTS (SELECT FROM ${schema}.fact_paths p WHERE p.path = t.path::bigint) ORDER BY 1 ON CONFLICT DO NOTHING`,
    );
    await this.newPathTypes.insert(session, schema, 'ORDER BY 1, 2 ON CONFLICT DO NOTHING');
    onStep('write_facts');
  }

  committed(): void {
    for (const pathType of this.pathTypes) this.known.add(pathType);
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.factsets.size === 0) return;
    await this.factsets.replace(session, schema);
    if (this.removed.size > 0) {
      for (const table of ['fact_contents', 'facts']) {
        await session.query({
          text: `DELETE FROM ${schema}.${table} s USING ${this.removed.source}
                 WHERE s.node = t.node::bigint AND s.fact = t.fact::bigint`,
          values: this.removed.values,
        });
      }
    }
    if (this.updated.size > 0) await this.update(session, schema);
    await this.added.write(session, schema);
    await this.addedContents.write(session, schema);
    onStep('write_facts');
  }

  private async update(session: Session, schema: string): Promise<void> {
    await this.updated.insert(
      session,
      schema,
      'ON CONFLICT (node, fact) DO UPDATE SET value = excluded.value, spelled = excluded.spelled, since = excluded.since',
    );
    const { updated, updatedContents } = this;
    await session.query({
      text: `DELETE FROM ${schema}.fact_contents s USING unnest($1::bigint[], $2::bigint[]) AS c(node, fact)
             WHERE s.node = c.node AND s.fact = c.fact AND NOT EXISTS (
               SELECT FROM unnest($3::bigint[], $4::bigint[]) AS t(node, path) WHERE t.node = s.node AND t.path = s.path)`,
      values: [...updated.values.slice(0, 2), updatedContents.values[0], updatedContents.values[2]],
    });
    await updatedContents.insert(
      session,
      schema,
      `ON CONFLICT (node, fact, path) DO UPDATE SET type = excluded.type, value = excluded.value, spelled = excluded.spelled,
         since = excluded.since
       WHERE s.type <> excluded.type OR s.value::text <> excluded.value::text OR s.spelled IS DISTINCT FROM excluded.spelled`,
    );
  }
}

const factKeyColumns = [
  { name: 'node', type: 'bigint' },
  { name: 'fact', type: 'bigint' },
];
const sinceColumn = { name: 'since', type: 'bigint' };
const factColumns = [
  ...factKeyColumns,
  { name: 'name', type: 'text' },
  { name: 'value', type: 'jsonb' },
  { name: 'spelled', type: 'text' },
  sinceColumn,
];
const contentColumns = [
  ...factKeyColumns,
  { name: 'path', type: 'bigint' },
  { name: 'type', type: '"char"' },
  { name: 'value', type: 'jsonb' },
  { name: 'spelled', type: 'text' },
  sinceColumn,
];

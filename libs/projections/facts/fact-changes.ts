import type { Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, LeafType, WireFact, WireFactset } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { type Cell, CopyRows } from '../copy-rows';
import { key64, key64Bytes, key64OfBytes, pathKey } from '../keys';
import { deleteRows } from '../history/move-to-past';
import { Versions } from '../history/versions';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { RowSet } from '../row-set';
import { tableColumns } from '../schema/read-tables';
import { originOf } from '../timeline/life-changes';
import { type Counts, mostNamed, type TimelineChanges } from '../timeline/timeline-changes';
import type { VolatileFacts } from '../timeline/volatile-facts';

/** Each entry in the digest of a factset contains the key of a fact (8 bytes) and the digest of the fact. */
const entryBytes = 16;
const keyBytes = 8;
const typeCodes: Record<LeafType, string> = { string: 's', integer: 'i', float: 'f', boolean: 'b', null: 'n' };

interface PendingFactset {
  readonly state: NodeState;
  readonly facts: WireFactset;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
  /** Whether the environment differs from the environment of the previous factset. */
  readonly isElsewhere: boolean;
}

interface Rows {
  push(...row: Cell[]): void;
}

class FactRows {
  readonly factsets = new RowSet('factsets');
  readonly removed = new RowSet('facts', tableColumns('facts', ['node', 'fact', 'since']));
  readonly updated = new RowSet('facts');
  readonly updatedContents = new RowSet('fact_contents');
  readonly added = new CopyRows('facts');
  readonly addedContents = new CopyRows('fact_contents');
}

/** Ignores volatile facts. */
class NotedFacts implements Counts {
  added = 0;
  changed = 0;
  removed = 0;
  readonly factKeys: string[] = [];

  constructor(private readonly volatile: VolatileFacts) {}

  get isSome(): boolean {
    return this.added + this.changed + this.removed > 0;
  }

  note(how: 'added' | 'changed' | 'removed', key: string): void {
    if (this.volatile.has(key)) return;
    this[how] += 1;
    if (this.factKeys.length < mostNamed) this.factKeys.push(key64OfBytes(key));
  }
}

export class FactChanges implements BatchPart {
  private readonly pending: Versions<string, PendingFactset>;
  private readonly rows: FactRows[] = [];
  private readonly newPaths = new RowSet('fact_paths');
  private readonly newPathTypes = new RowSet('fact_path_types');
  private readonly pathKeys = new Set<string>();
  private readonly pathTypes = new Set<string>();

  constructor(
    private readonly known: KnownKeys,
    private readonly keepsPast: boolean,
    private readonly timeline: TimelineChanges,
  ) {
    this.pending = new Versions(keepsPast);
  }

  /** The factset must not be older than the stored factset. */
  add(state: NodeState, facts: WireFactset, receivedAt: IsoTime, record: LogRecord, isElsewhere: boolean): void {
    this.pending.add(state.node, { state, facts, receivedAt, record, isElsewhere });
  }

  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const part of this.pending.parts) {
      const rows = new FactRows();
      this.rows.push(rows);
      for (const [node, { state, facts, receivedAt, record, isElsewhere }] of part) {
        const isFirst = state.factDigest === undefined;
        const noted = new NotedFacts(this.timeline.volatileFacts);
        state.factDigest = this.compare(node, state.factDigest, facts, record.offset, rows, noted);
        if (isFirst || isElsewhere || noted.isSome)
          this.timeline.add(node, 'facts', originOf(facts, record, names), noted);
        rows.factsets.push(
          node,
          receivedAt,
          facts.producerTimestamp,
          names.environment(facts.environment),
          names.producer(facts.producer),
          facts.hash,
          `\\x${state.factDigest.toString('hex')}`,
          record.partition,
          record.offset,
        );
      }
    }
    onStep('prepare_facts');
  }

  private compare(
    node: string,
    stored: Buffer | undefined,
    { facts }: WireFactset,
    since: number,
    { added, addedContents, updated, updatedContents, removed }: FactRows,
    noted: NotedFacts,
  ): Buffer {
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
      if (old === undefined) {
        this.write(node, key64(fact.name), fact, since, added, addedContents);
        noted.note('added', key);
      } else if (old !== fact.digest) {
        this.write(node, key64(fact.name), fact, since, updated, updatedContents);
        noted.note('changed', key);
      }
    });
    for (const key of before.keys()) {
      removed.push(node, key64OfBytes(key), since);
      noted.note('removed', key);
    }
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
    // Without the condition NOT EXISTS, PostgreSQL would compute the generated columns of every path, even if the path
    // is already stored.
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
    for (const rows of this.rows) await this.writeOf(rows, session, schema);
    if (this.rows.length > 0) onStep('write_facts');
  }

  private async writeOf(rows: FactRows, session: Session, schema: string): Promise<void> {
    const { removed, updated, updatedContents, added, addedContents } = rows;
    const { keepsPast } = this;
    await rows.factsets.replace(session, schema, { keepsPast });
    const until = keepsPast ? 't.since::bigint' : undefined;
    if (removed.size > 0) {
      for (const table of ['fact_contents', 'facts']) {
        await session.query({
          text: deleteRows(
            schema,
            table,
            `USING ${removed.source} WHERE s.node = t.node::bigint AND s.fact = t.fact::bigint`,
            until,
          ),
          values: removed.values,
        });
      }
    }
    if (updated.size > 0) {
      await updated.replace(session, schema, { keepsPast, key: 2 });
      const [nodes, facts, , , , sinces] = updated.values;
      await session.query({
        text: deleteRows(
          schema,
          'fact_contents',
          `USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS c(node, fact, since)
           WHERE s.node = c.node AND s.fact = c.fact AND NOT EXISTS (
             SELECT FROM unnest($4::bigint[], $5::bigint[]) AS t(node, path) WHERE t.node = s.node AND t.path = s.path)`,
          keepsPast ? 'c.since' : undefined,
        ),
        values: [nodes, facts, sinces, updatedContents.values[0], updatedContents.values[2]],
      });
      await updatedContents.replace(session, schema, {
        keepsPast,
        key: 3,
        differs: (row) =>
          `s.type <> ${row}.type OR s.value::text <> ${row}.value::text OR s.spelled IS DISTINCT FROM ${row}.spelled`,
      });
    }
    await added.write(session, schema);
    await addedContents.write(session, schema);
  }
}

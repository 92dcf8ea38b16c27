import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireCatalog, WireResource } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { CopyRows } from '../copy-rows';
import { RowSet } from '../row-set';

interface PendingCatalog {
  readonly state: NodeState;
  readonly catalog: WireCatalog;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
  /** Resources and edges to write, from the newest catalog in the batch that has any. */
  readonly content: WireCatalog['content'];
  readonly hash: string;
}

const byKey = (a: WireResource, b: WireResource): number =>
  a.content < b.content ? -1 : a.content > b.content ? 1 : 0;

/** Tags contain no characters that need quotes in an array literal. Only the tag `null` must be quoted. */
const tagsLiteral = (tags: readonly string[]): string =>
  tags.includes('null') ? arrayLiteral(tags) : `{${tags.join()}}`;

/** Returns the number of resources of each type, sorted by type. */
function countTypes(resources: readonly WireResource[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Changes of a batch to catalogs: the newest catalog of each node. Writes resources and edges only if they differ. */
export class CatalogChanges implements BatchPart {
  private readonly pending = new Map<string, PendingCatalog>();
  private readonly contents = new Map<string, WireResource>();
  private readonly catalogs = new RowSet('catalogs', [
    { name: 'node', type: 'bigint' },
    { name: 'timestamp', type: 'timestamptz' },
    { name: 'producer_timestamp', type: 'timestamptz' },
    { name: 'environment', type: 'bigint' },
    { name: 'producer', type: 'bigint' },
    { name: 'version', type: 'text' },
    { name: 'transaction_uuid', type: 'text' },
    { name: 'catalog_uuid', type: 'text' },
    { name: 'code_id', type: 'text' },
    { name: 'job_id', type: 'text' },
    { name: 'hash', type: 'text' },
    { name: 'resources_length', type: 'int' },
    { name: 'resources_sha256', type: 'bytea' },
    { name: 'edges_length', type: 'int' },
    { name: 'edges_sha256', type: 'bytea' },
    { name: 'log_partition', type: 'int' },
    { name: 'log_offset', type: 'bigint' },
  ]);
  /** For nodes without a stored catalog. */
  private readonly added = {
    resources: new CopyRows('catalog_resources', resourceColumns),
    types: new CopyRows('catalog_types', typeColumns),
    edges: new CopyRows('catalog_edges', edgeColumns),
  };
  /** For nodes with a stored catalog. */
  private readonly changed = {
    resources: new RowSet('catalog_resources', resourceColumns),
    types: new RowSet('catalog_types', typeColumns),
    edges: new RowSet('catalog_edges', edgeColumns),
  };
  private readonly changedNodes: string[] = [];

  /** Nodes that had a catalog before the batch. */
  private readonly nodesWithOne: ReadonlySet<string>;

  /** `states` are the stored states of the nodes in the batch. */
  constructor(
    private readonly known: KnownKeys,
    states: ReadonlyMap<string, NodeState>,
  ) {
    this.nodesWithOne = new Set([...states.values()].filter((state) => state.catalog).map((state) => state.node));
  }

  /** Returns whether the node had a catalog before the batch. */
  had(node: string): boolean {
    return this.nodesWithOne.has(node);
  }

  /** Not computed from a sample, because the use of a file grows with the fleet. */
  add(state: NodeState, catalog: WireCatalog, receivedAt: IsoTime, record: LogRecord): void {
    const earlier = this.pending.get(state.node);
    const hash = catalog.content?.hash ?? state.catalog?.hash;
    if (hash === undefined) throw new Error(`catalog of ${catalog.certname} refers to sections that are not stored`);
    const content = catalog.content ?? earlier?.content;
    this.pending.set(state.node, { state, catalog, receivedAt, record, content, hash });
    state.catalog = { ...catalog.sections, hash };
  }

  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const [node, { catalog, receivedAt, record, content, hash }] of this.pending) {
      this.catalogs.push(
        node,
        receivedAt,
        catalog.producerTimestamp,
        names.environment(catalog.environment),
        names.producer(catalog.producer),
        catalog.version,
        catalog.transactionUuid,
        catalog.catalogUuid,
        catalog.codeId,
        catalog.jobId,
        hash,
        catalog.sections.resources.length,
        `\\x${catalog.sections.resources.sha256.toString('hex')}`,
        catalog.sections.edges.length,
        `\\x${catalog.sections.edges.sha256.toString('hex')}`,
        record.partition,
        record.offset,
      );
      if (content === undefined) continue;
      const rows = this.had(node) ? this.changed : this.added;
      if (rows === this.changed) this.changedNodes.push(node);
      for (const resource of content.resources) {
        rows.resources.push(node, resource.content, record.offset);
        if (!this.known.has(resource.content)) this.contents.set(resource.content, resource);
      }
      const types = countTypes(content.resources);
      rows.types.push(
        node,
        arrayLiteral(types.map(([type]) => type)),
        arrayLiteral(types.map(([, count]) => String(count))),
        record.offset,
      );
      const { edges } = content;
      rows.edges.push(
        node,
        arrayLiteral(edges.map((edge) => edge.relationship)),
        arrayLiteral(edges.map((edge) => edge.sourceType)),
        arrayLiteral(edges.map((edge) => edge.sourceTitle)),
        arrayLiteral(edges.map((edge) => edge.targetType)),
        arrayLiteral(edges.map((edge) => edge.targetTitle)),
        record.offset,
      );
    }
    onStep('prepare_catalogs');
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.contents.size > 0) await this.writeContents(session, schema);
    onStep('write_resources');
  }

  /** Writes contents that are not stored yet. Keys of stored ones are added to the cache. */
  private async writeContents(session: Session, schema: string): Promise<void> {
    const stored = await session.query<{ content: string }>({
      text: `SELECT replace(content::text, '-', '') AS content FROM ${schema}.resource_contents WHERE content = ANY($1::uuid[])`,
      values: [arrayLiteral([...this.contents.keys()])],
    });
    const missing = new Map([...this.contents].map(([content, row]) => [content.replaceAll('-', ''), row]));
    for (const { content } of stored) missing.delete(content);
    const rows = new RowSet('resource_contents', [
      { name: 'content', type: 'uuid' },
      { name: 'resource', type: 'text' },
      { name: 'type', type: 'text' },
      { name: 'title', type: 'text' },
      { name: 'exported', type: 'boolean' },
      { name: 'file', type: 'text' },
      { name: 'line', type: 'int' },
      { name: 'tags', type: 'text[]' },
      { name: 'parameters', type: 'jsonb' },
    ]);
    for (const row of [...missing.values()].sort(byKey)) {
      rows.push(
        row.content,
        row.hash,
        row.type,
        row.title,
        row.exported,
        row.file,
        row.line,
        tagsLiteral(row.tags),
        row.parameters,
      );
    }
    await rows.insert(session, schema, 'ORDER BY 1 ON CONFLICT DO NOTHING');
  }

  committed(): void {
    for (const content of this.contents.keys()) this.known.add(content);
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.catalogs.size === 0) return;
    await this.catalogs.replace(session, schema);
    onStep('write_catalogs');
    const { added, changed } = this;
    if (this.changedNodes.length > 0) {
      await session.query({
        text: `DELETE FROM ${schema}.catalog_resources s WHERE s.node = ANY($1::bigint[]) AND NOT EXISTS (
                 SELECT FROM unnest($2::bigint[], $3::uuid[]) AS t(node, content)
                 WHERE t.node = s.node AND t.content = s.content)`,
        values: [arrayLiteral(this.changedNodes), ...changed.resources.values.slice(0, 2)],
      });
      await changed.resources.insert(session, schema, 'ON CONFLICT DO NOTHING');
    }
    await added.resources.write(session, schema);
    await changed.types.replace(session, schema);
    await added.types.write(session, schema);
    onStep('write_resources');
    await changed.edges.replace(session, schema);
    await added.edges.write(session, schema);
    onStep('write_edges');
  }
}

const sinceColumn = { name: 'since', type: 'bigint' };
const resourceColumns = [{ name: 'node', type: 'bigint' }, { name: 'content', type: 'uuid' }, sinceColumn];
const typeColumns = [
  { name: 'node', type: 'bigint' },
  { name: 'types', type: 'text[]' },
  { name: 'counts', type: 'int[]' },
  sinceColumn,
];
const edgeColumns = [
  { name: 'node', type: 'bigint' },
  { name: 'relationships', type: 'text[]' },
  { name: 'source_types', type: 'text[]' },
  { name: 'source_titles', type: 'text[]' },
  { name: 'target_types', type: 'text[]' },
  { name: 'target_titles', type: 'text[]' },
  sinceColumn,
];

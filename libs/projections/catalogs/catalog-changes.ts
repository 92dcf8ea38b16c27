import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime, WireCatalog, WireResource } from '#wire';
import type { BatchPart, NameKeys } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import type { KnownKeys } from '../known-keys';
import type { NodeState } from '../node-state';
import { CopyRows } from '../copy-rows';
import { Versions } from '../history/versions';
import { RowSet } from '../row-set';
import { tableColumns } from '../schema/read-tables';
import { originOf } from '../timeline/life-changes';
import { type Counts, mostNamed, noCounts, type Origin, type TimelineChanges } from '../timeline/timeline-changes';
import { replaceResources, replaceResourcesWithPast } from './replace-resources';

interface PendingCatalog {
  readonly catalog: WireCatalog;
  readonly receivedAt: IsoTime;
  readonly record: LogRecord;
  /** Undefined if the resources and edges have not changed. */
  readonly content: WireCatalog['content'];
  readonly hash: string;
  /** Whether the edges, the environment or the code_id differ from those of the previous catalog. */
  readonly isOther: boolean;
}

const byKey = (a: WireResource, b: WireResource): number =>
  a.content < b.content ? -1 : a.content > b.content ? 1 : 0;

/** In an array literal, tags need no quotes, except for the tag `null`. */
const tagsLiteral = (tags: readonly string[]): string =>
  tags.includes('null') ? arrayLiteral(tags) : `{${tags.join()}}`;

function countTypes(resources: readonly WireResource[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

class CatalogRows {
  readonly catalogs = new RowSet('catalogs');
  readonly added = {
    resources: new CopyRows('catalog_resources'),
    types: new CopyRows('catalog_types'),
    edges: new CopyRows('catalog_edges'),
  };
  readonly changed = {
    nodes: new RowSet('catalog_resources', tableColumns('catalog_resources', ['node', 'since'])),
    resources: new RowSet('catalog_resources'),
    types: new RowSet('catalog_types'),
    edges: new RowSet('catalog_edges'),
  };
  /** Nodes whose new catalog is compared with the stored catalog, so that the timeline gets the numbers of changes. */
  readonly compared = new Map<string, { readonly origin: Origin; readonly isOther: boolean }>();
}

export class CatalogChanges implements BatchPart {
  private readonly pending: Versions<string, PendingCatalog>;
  private readonly contents = new Map<string, WireResource>();
  private readonly rows: CatalogRows[] = [];

  /** Nodes that had a catalog before the batch. */
  private readonly nodesWithOne: ReadonlySet<string>;

  constructor(
    private readonly known: KnownKeys,
    states: ReadonlyMap<string, NodeState>,
    private readonly keepsPast: boolean,
    private readonly timeline: TimelineChanges,
  ) {
    this.pending = new Versions(keepsPast);
    this.nodesWithOne = new Set([...states.values()].filter((state) => state.catalog).map((state) => state.node));
  }

  had(node: string): boolean {
    return this.nodesWithOne.has(node);
  }

  /** The catalog must not be older than the stored catalog of its node (see `foldCatalog`). */
  add(state: NodeState, catalog: WireCatalog, receivedAt: IsoTime, record: LogRecord, isElsewhere: boolean): void {
    const hash = catalog.content?.hash ?? state.catalog?.hash;
    if (hash === undefined) throw new Error(`catalog of ${catalog.certname} refers to sections that are not stored`);
    // If the tables keep no past, only the newest catalog of the batch is written. If its `content` is undefined, its
    // content equals the content of an earlier catalog of the batch.
    const content = catalog.content ?? (this.keepsPast ? undefined : this.pending.newest(state.node)?.content);
    const isOther = isElsewhere || state.catalog?.hash !== hash || state.catalog.codeId !== catalog.codeId;
    this.pending.add(state.node, { catalog, receivedAt, record, content, hash, isOther });
    state.catalog = { ...catalog.sections, hash, codeId: catalog.codeId };
  }

  prepare(names: NameKeys, onStep: StepWatch): void {
    for (const [index, part] of this.pending.parts.entries()) {
      const rows = new CatalogRows();
      this.rows.push(rows);
      for (const [node, pending] of part) {
        addCatalog(rows, node, pending, names);
        const { catalog, content, record, isOther } = pending;
        const isChanged = index > 0 || this.had(node);
        if (content !== undefined) this.addContent(rows, node, content, record.offset, isChanged);
        const origin = originOf(catalog, record, names);
        if (content !== undefined && isChanged) rows.compared.set(node, { origin, isOther });
        else if (content !== undefined) this.timeline.add(node, 'catalog', origin, allAdded(content));
        else if (isOther) this.timeline.add(node, 'catalog', origin);
      }
    }
    onStep('prepare_catalogs');
  }

  private addContent(
    { added, changed }: CatalogRows,
    node: string,
    { resources, edges }: NonNullable<WireCatalog['content']>,
    since: number,
    isChanged: boolean,
  ): void {
    const rows = isChanged ? changed : added;
    if (isChanged) changed.nodes.push(node, since);
    for (const resource of resources) {
      rows.resources.push(node, resource.content, since);
      if (!this.known.has(resource.content)) this.contents.set(resource.content, resource);
    }
    const types = countTypes(resources);
    rows.types.push(
      node,
      arrayLiteral(types.map(([type]) => type)),
      arrayLiteral(types.map(([, count]) => String(count))),
      since,
    );
    rows.edges.push(
      node,
      arrayLiteral(edges.map((edge) => edge.relationship)),
      arrayLiteral(edges.map((edge) => edge.sourceType)),
      arrayLiteral(edges.map((edge) => edge.sourceTitle)),
      arrayLiteral(edges.map((edge) => edge.targetType)),
      arrayLiteral(edges.map((edge) => edge.targetTitle)),
      since,
    );
  }

  async writeShared(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.contents.size > 0) await this.writeContents(session, schema);
    onStep('write_resources');
  }

  private async writeContents(session: Session, schema: string): Promise<void> {
    const stored = await session.query<{ content: string }>({
      text: `SELECT replace(content::text, '-', '') AS content FROM ${schema}.resource_contents WHERE content = ANY($1::uuid[])`,
      values: [arrayLiteral([...this.contents.keys()])],
    });
    const missing = new Map([...this.contents].map(([content, row]) => [content.replaceAll('-', ''), row]));
    for (const { content } of stored) missing.delete(content);
    const rows = new RowSet('resource_contents');
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
    const { keepsPast } = this;
    for (const { catalogs, added, changed, compared } of this.rows) {
      await catalogs.replace(session, schema, { keepsPast });
      onStep('write_catalogs');
      if (changed.nodes.size > 0) {
        if (keepsPast) {
          const changes = await replaceResourcesWithPast(session, schema, changed);
          for (const [node, { origin, isOther }] of compared) {
            const counts = changes.get(node) ?? (isOther ? noCounts : undefined);
            if (counts !== undefined) this.timeline.add(node, 'catalog', origin, counts);
          }
        } else await replaceResources(session, schema, changed);
      }
      await added.resources.write(session, schema);
      await changed.types.replace(session, schema, {
        keepsPast,
        differs: (row) => `s.types <> ${row}.types OR s.counts <> ${row}.counts`,
      });
      await added.types.write(session, schema);
      onStep('write_resources');
      await changed.edges.replace(session, schema, { keepsPast, differs: (row) => differ(row, changed.edges) });
      await added.edges.write(session, schema);
      onStep('write_edges');
    }
  }
}

const allAdded = ({ resources }: NonNullable<WireCatalog['content']>): Counts => ({
  added: resources.length,
  changed: 0,
  removed: 0,
  contentKeys: resources.slice(0, mostNamed).map(({ content }) => content),
});

const differ = (row: string, { columns }: RowSet): string =>
  columns
    .slice(1, -1)
    .map(({ name }) => `s.${name} <> ${row}.${name}`)
    .join(' OR ');

function addCatalog(
  { catalogs }: CatalogRows,
  node: string,
  { catalog, receivedAt, record, hash }: PendingCatalog,
  names: NameKeys,
): void {
  catalogs.push(
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
}

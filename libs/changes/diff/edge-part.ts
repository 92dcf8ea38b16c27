import { type Fragment, sql } from '#query';
import type { DiffPart } from './diff-part';
import { signedLine } from './show-change';
import type { Side } from './side';

export interface EdgeChange {
  readonly isNew: boolean;
  readonly relationship: string;
  readonly source: { readonly type: string; readonly title: string };
  readonly target: { readonly type: string; readonly title: string };
}

export const edgePart: DiffPart<EdgeChange> = {
  name: 'edges',
  summary: 'the edges of the catalogs',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (${edges(a)}), b AS MATERIALIZED (${edges(b)}),
      differing AS MATERIALIZED (SELECT false AS is_new, * FROM (SELECT * FROM a EXCEPT SELECT * FROM b) gone
        UNION ALL SELECT true, * FROM (SELECT * FROM b EXCEPT SELECT * FROM a) come)`,
    shown: sql`json_build_array(is_new, relationship, source_type, source_title, target_type, target_title)`,
    order: sql`source_type, source_title, target_type, target_title, relationship, is_new`,
    size: sql`octet_length(concat(relationship, source_type, source_title, target_type, target_title))`,
  }),
  read: readEdge,
  items: (row) => [JSON.stringify(edgeItem(row))],
  patch: (rows) =>
    rows.map((row) => {
      const path = [JSON.stringify([reference(row.source), row.relationship, reference(row.target)])];
      return row.isNew ? { change: 'added', path, new: true } : { change: 'removed', path, old: true };
    }),
  lines: (row) => [
    signedLine(
      row.isNew ? 'added' : 'removed',
      `${reference(row.source)} ${row.relationship} ${reference(row.target)}`,
    ),
  ],
};

export function readEdge(row: readonly unknown[]): EdgeChange {
  const [isNew, relationship, sourceType, sourceTitle, targetType, targetTitle] = row as [boolean, ...string[]];
  return {
    isNew,
    relationship: relationship!,
    source: { type: sourceType!, title: sourceTitle! },
    target: { type: targetType!, title: targetTitle! },
  };
}

const reference = ({ type, title }: EdgeChange['source']): string => `${type}[${title}]`;

const edges = (side: Side): Fragment =>
  sql`SELECT e.* FROM ${side.table('catalog_edges')} c, unnest(c.relationships, c.source_types, c.source_titles, c.target_types,
    c.target_titles) e (relationship, source_type, source_title, target_type, target_title) WHERE c.node = ${side.node}`;

export const edgeItem = ({ isNew, relationship, source, target }: EdgeChange) => ({
  change: isNew ? 'added' : 'removed',
  relationship,
  source_type: source.type,
  source_title: source.title,
  target_type: target.type,
  target_title: target.title,
});

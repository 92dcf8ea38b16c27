import { type AstJson, type Fragment, sql, table } from '#query';
import type { DiffPart } from './diff-part';
import { signedLine } from './show-change';
import type { Side } from './side';
import { type ValueChange, valueChanges } from './value-changes';

/** A machine can have several versions of a package, for example several kernels. */
export interface PackageChange {
  readonly name: string;
  readonly provider: string;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

export const packagePart: DiffPart<PackageChange> = {
  name: 'packages',
  summary: 'the versions of the packages',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (${keys(a)}), b AS MATERIALIZED (${keys(b)}),
      names AS (SELECT p.name FROM ((SELECT * FROM a EXCEPT SELECT * FROM b) UNION ALL (SELECT * FROM b EXCEPT SELECT * FROM a)) k
        JOIN ${table('packages')} p USING (package) GROUP BY p.name),
      differing AS MATERIALIZED (SELECT p.name, p.provider,
          coalesce(array_agg(p.version ORDER BY p.version) FILTER (WHERE NOT k.is_new), '{}') AS old,
          coalesce(array_agg(p.version ORDER BY p.version) FILTER (WHERE k.is_new), '{}') AS new
        FROM (SELECT package, false AS is_new FROM a UNION ALL SELECT package, true FROM b) k
        JOIN ${table('packages')} p USING (package) WHERE p.name IN (SELECT name FROM names) GROUP BY p.name, p.provider)`,
    shown: sql`json_build_array(name, provider, old, new)`,
    order: sql`name, provider`,
    size: sql`octet_length(concat(name, provider)) + octet_length(old::text) + octet_length(new::text)`,
  }),
  read: ([name, provider, old, next]) => ({
    name: name as string,
    provider: provider as string,
    old: old as readonly string[],
    new: next as readonly string[],
  }),
  items: (row) => (isEqual(row) ? [] : [JSON.stringify(packageItem(row))]),
  patch: (rows) => {
    const document = (versions: 'old' | 'new'): AstJson => {
      const byName = new Map<string, Map<string, AstJson>>();
      for (const row of rows) {
        if (row[versions].length === 0) continue;
        const providers = byName.get(row.name) ?? new Map<string, AstJson>();
        byName.set(row.name, providers.set(row.provider, row[versions]));
      }
      return byName;
    };
    return valueChanges(document('old'), document('new'));
  },
  lines: (row) => {
    if (isEqual(row)) return [];
    const versions = [row.old, row.new].filter((one) => one.length > 0).map((one) => one.join(', '));
    return [signedLine(changeOf(row), `${row.name} (${row.provider}): ${versions.join(' → ')}`)];
  },
};

const keys = (side: Side): Fragment =>
  sql`SELECT unnest(i.packages) AS package FROM ${side.table('package_inventory')} i WHERE i.node = ${side.node}`;

const isEqual = ({ old, new: next }: PackageChange): boolean =>
  old.length === next.length && old.every((version, index) => version === next[index]);

const changeOf = ({ old, new: next }: PackageChange): ValueChange['change'] =>
  old.length === 0 ? 'added' : next.length === 0 ? 'removed' : 'changed';

export const packageItem = (row: PackageChange) => ({ change: changeOf(row), ...row });

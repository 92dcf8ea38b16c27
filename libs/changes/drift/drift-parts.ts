import { type Fragment, sql, table } from '#query';

/** A part of what is known about nodes, in which the nodes of a group are compared. */
export interface DriftPart {
  readonly name: string;
  /**
   * CTEs that end with `counted`: how many nodes of a group have which value of an item. They read `member`, which has the nodes of the
   * groups.
   */
  readonly counted: (volatile: Fragment) => Fragment;
  /** Selects grp, item, value and node of the nodes of a group that have an item of the CTE `shown`. */
  readonly holding: Fragment;
  /** JSON of an item: the path of a fact, type and title of a resource, name and provider of a package. */
  readonly item: (item: Fragment) => Fragment;
}

const facts: DriftPart = {
  name: 'facts',
  counted: (volatile) => sql`counted AS MATERIALIZED (SELECT m.grp, c.path AS item, c.value, count(*)::int AS n
    FROM member m JOIN ${table('fact_contents')} c ON c.node = m.node WHERE c.fact <> ALL (${volatile}) GROUP BY m.grp, c.path, c.value)`,
  holding: sql`SELECT s.grp, s.item, c.value, m.node, m.certname FROM shown s
    JOIN ${table('fact_contents')} c ON c.path = s.item JOIN member m ON m.node = c.node AND m.grp = s.grp`,
  item: (item) => sql`(SELECT p.elements FROM ${table('fact_paths')} p WHERE p.path = ${item})`,
};

const resources: DriftPart = {
  name: 'resources',
  counted: () => sql`contents AS MATERIALIZED (SELECT m.grp, r.content, count(*)::int AS n
      FROM member m JOIN ${table('catalog_resources')} r ON r.node = m.node GROUP BY m.grp, r.content),
    items AS MATERIALIZED (SELECT c.grp, c.content, c.n, jsonb_build_array(rc.type, rc.title) AS item, rc.parameters AS value
      FROM contents c JOIN ${table('resource_contents')} rc USING (content)),
    counted AS MATERIALIZED (SELECT grp, item, value, sum(n)::int AS n FROM items GROUP BY grp, item, value)`,
  holding: sql`SELECT s.grp, s.item, i.value, m.node, m.certname FROM shown s JOIN items i ON i.grp = s.grp AND i.item = s.item
    JOIN ${table('catalog_resources')} r ON r.content = i.content JOIN member m ON m.node = r.node AND m.grp = s.grp`,
  item: (item) => item,
};

const packages: DriftPart = {
  name: 'packages',
  counted: () => sql`keys AS MATERIALIZED (SELECT m.grp, k.package, count(*)::int AS n
      FROM member m JOIN ${table('package_inventory')} i ON i.node = m.node, unnest(i.packages) k (package) GROUP BY m.grp, k.package),
    items AS MATERIALIZED (SELECT k.grp, k.package, k.n, jsonb_build_array(p.name, p.provider) AS item, to_jsonb(p.version) AS value
      FROM keys k JOIN ${table('packages')} p USING (package)),
    counted AS MATERIALIZED (SELECT grp, item, value, sum(n)::int AS n FROM items GROUP BY grp, item, value)`,
  holding: sql`SELECT s.grp, s.item, i.value, m.node, m.certname
    FROM member m JOIN ${table('package_inventory')} v ON v.node = m.node, unnest(v.packages) k (package)
    JOIN items i ON i.package = k.package JOIN shown s ON s.grp = i.grp AND s.item = i.item WHERE m.grp = s.grp`,
  item: (item) => item,
};

export const driftParts: readonly DriftPart[] = [facts, resources, packages];

import { empty, type Fragment, sql, table } from '#query';

export interface DriftPart {
  readonly name: string;
  /**
   * Returns CTEs that read `member`, which contains the nodes of all groups. The last one is `counted`. It contains how
   * many nodes of a group have each value of an item.
   */
  readonly counted: (volatile: Fragment) => Fragment;
  /** CTEs that `holding` uses. Can be empty. */
  readonly wanted: Fragment;
  /**
   * Selects the nodes that the answer lists, as rows of grp, item, value, node and certname. If most nodes of a group
   * share a value and no node lacks the item, these are the nodes with other values. Otherwise these are all nodes that
   * have the item.
   */
  readonly holding: Fragment;
  /**
   * Returns SQL for the JSON of an item: the path of a fact, the type and title of a resource, or the name and provider
   * of a package.
   */
  readonly item: (item: Fragment) => Fragment;
}

const facts: DriftPart = {
  name: 'facts',
  counted: (volatile) => sql`counted AS MATERIALIZED (SELECT m.grp, c.path AS item, c.value, count(*)::int AS n
    FROM member m JOIN ${table('fact_contents')} c ON c.node = m.node WHERE c.fact <> ALL (${volatile}) GROUP BY m.grp, c.path, c.value)`,
  wanted: empty,
  holding: sql`SELECT s.grp, s.item, c.value, m.node, m.certname FROM ${table('fact_contents')} c
    JOIN member m ON m.node = c.node JOIN shared s ON s.grp = m.grp AND s.item = c.path
    WHERE c.path = ANY (ARRAY(SELECT item FROM shared)) AND (s.is_lacked OR s.value IS NULL OR c.value <> s.value)`,
  item: (item) => sql`(SELECT p.elements FROM ${table('fact_paths')} p WHERE p.path = ${item})`,
};

const resources: DriftPart = {
  name: 'resources',
  counted: () => sql`contents AS MATERIALIZED (SELECT m.grp, r.content, count(*)::int AS n
      FROM member m JOIN ${table('catalog_resources')} r ON r.node = m.node GROUP BY m.grp, r.content),
    items AS MATERIALIZED (SELECT c.grp, c.content, c.n, jsonb_build_array(rc.type, rc.title) AS item, rc.parameters AS value
      FROM contents c JOIN ${table('resource_contents')} rc USING (content)),
    counted AS MATERIALIZED (SELECT grp, item, value, sum(n)::int AS n FROM items GROUP BY grp, item, value)`,
  wanted: sql`wanted AS MATERIALIZED (SELECT i.grp, i.item, i.value, i.content FROM items i JOIN shared s ON s.grp = i.grp AND s.item = i.item
    WHERE s.is_lacked OR s.value IS NULL OR i.value <> s.value),`,
  holding: sql`SELECT w.grp, w.item, w.value, m.node, m.certname FROM ${table('catalog_resources')} r
    JOIN member m ON m.node = r.node JOIN wanted w ON w.grp = m.grp AND w.content = r.content
    WHERE r.content = ANY (ARRAY(SELECT content FROM wanted))`,
  item: (item) => item,
};

const packages: DriftPart = {
  name: 'packages',
  // Counts inventories first, because many nodes have equal inventories.
  counted: () => sql`inventories AS MATERIALIZED (SELECT m.grp, i.packages, count(*)::int AS n
      FROM member m JOIN ${table('package_inventory')} i ON i.node = m.node GROUP BY m.grp, i.packages),
    keys AS MATERIALIZED (SELECT i.grp, k.package, sum(i.n)::int AS n
      FROM inventories i, unnest(i.packages) k (package) GROUP BY i.grp, k.package),
    items AS MATERIALIZED (SELECT k.grp, k.package, k.n, jsonb_build_array(p.name, p.provider) AS item, to_jsonb(p.version) AS value
      FROM keys k JOIN ${table('packages')} p USING (package)),
    counted AS MATERIALIZED (SELECT grp, item, value, sum(n)::int AS n FROM items GROUP BY grp, item, value)`,
  wanted: sql`wanted AS MATERIALIZED (SELECT i.grp, i.item, i.value, i.package FROM items i JOIN shared s ON s.grp = i.grp AND s.item = i.item
    WHERE s.is_lacked OR s.value IS NULL OR i.value <> s.value),`,
  holding: sql`SELECT w.grp, w.item, w.value, m.node, m.certname FROM member m
    JOIN ${table('package_inventory')} v ON v.node = m.node CROSS JOIN LATERAL unnest(v.packages) k (package)
    JOIN wanted w ON w.grp = m.grp AND w.package = k.package`,
  item: (item) => item,
};

export const driftParts: readonly DriftPart[] = [facts, resources, packages];

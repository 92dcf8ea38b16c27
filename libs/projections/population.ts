import type { Database } from '#database';
import { Generations } from '#database';

export interface Population {
  readonly activeNodes: number;
  readonly inactiveNodes: number;
  /** Number of resources in all catalogs. If there are very many, this number is PostgreSQL's estimate. */
  readonly resources: number;
  readonly distinctResources: number;
}

/** Larger tables are not counted. PostgreSQL's estimate is within a few percent after each autovacuum. */
const mostCounted = 50_000;

export async function readPopulation(db: Database): Promise<Population | undefined> {
  const live = await new Generations(db).live();
  if (live === undefined) return undefined;
  const { schema } = live;
  const [nodes] = await db.query<{ active: string; inactive: string }>({
    text: `SELECT count(*) FILTER (WHERE deactivated IS NULL AND expired IS NULL) AS active,
                  count(*) FILTER (WHERE deactivated IS NOT NULL OR expired IS NOT NULL) AS inactive
             FROM ${schema}.nodes`,
    values: [],
  });
  return {
    activeNodes: Number(nodes?.active ?? 0),
    inactiveNodes: Number(nodes?.inactive ?? 0),
    resources: await rows(db, `${schema}.catalog_resources`),
    distinctResources: await rows(db, `${schema}.resource_contents`),
  };
}

async function rows(db: Database, table: string): Promise<number> {
  const [counted] = await db.query<{ rows: string }>({
    text: `SELECT count(*) AS rows FROM (SELECT FROM ${table} LIMIT ${mostCounted}) AS first_rows`,
    values: [],
  });
  const exact = Number(counted?.rows ?? 0);
  if (exact < mostCounted) return exact;
  const [estimate] = await db.query<{ rows: string }>({
    text: 'SELECT reltuples::bigint AS rows FROM pg_class WHERE oid = $1::regclass',
    values: [table],
  });
  return Math.max(exact, Number(estimate?.rows ?? 0));
}

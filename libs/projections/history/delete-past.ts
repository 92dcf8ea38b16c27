/**
 * Deletes the versions of rows that ended before the start of the past. No query reads these versions, so the log
 * contains no record of the deletion. Each transaction deletes a limited number of rows and skips locked rows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { arrayLiteral, type Database, isLockTimeout, type Generation, type Session, takeSharedRows } from '#database';
import { isFault } from '#fault';
import type { RemoveOptions } from '../maintenance/delete-removed-rows';
import { partitionOfNode } from '../maintenance/nodes-of';
import { pastName } from '../schema/past';
import { projectionVersion, tablesWithPast } from '../schema/read-tables';
import { held } from './keep-past';

const nodesAtOnce = 20;
const rowsAtOnce = 5_000;

/** Versions in this table are deleted last, because `findNodes` finds the nodes in this table. */
const nodesPast = pastName('nodes');
const pastTables = [
  ...tablesWithPast.map(({ name }) => pastName(name)).filter((name) => name !== nodesPast),
  nodesPast,
];

/** Does nothing if the tables have another projection version. */
export async function deletePast(
  db: Database,
  { generation, schema, projectionVersion: form }: Generation,
  { signal, pauses = 0 }: Pick<RemoveOptions, 'signal' | 'pauses'> = {},
): Promise<number> {
  if (form !== projectionVersion) return 0;
  let deleted = 0;
  let last = String(-(2n ** 63n));
  const paused = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await db.transaction(async (session) => {
      // If a crash loses this commit, the next call deletes the rows.
      await session.query({ text: 'SET LOCAL synchronous_commit = off', values: [] });
      return work(session);
    });
    if (pauses > 0) await delay(Math.ceil((performance.now() - startedAt) * pauses), undefined, { signal });
    return result;
  };
  const goesOn = (): boolean => signal?.aborted !== true;
  const deleteAll = async (work: (session: Session) => Promise<number>): Promise<void> => {
    for (let gone = rowsAtOnce; gone === rowsAtOnce && goesOn(); deleted += gone) gone = await paused(work);
  };
  while (goesOn()) {
    const nodes = await paused((session) => findNodes(session, schema, last));
    for (const table of nodes.length === 0 ? [] : pastTables)
      await deleteAll((session) => deleteVersions(session, `${schema}.${table}`, nodes));
    if (nodes.length < nodesAtOnce) break;
    last = (nodes.at(-1) as PastNode).node;
  }
  await deleteAll((session) => deleteTimeline(session, schema));
  if (goesOn()) deleted += await forgetNodes(db, generation, schema);
  return deleted;
}

/**
 * Deletes the keys of nodes without any row. If batches hold their lock for too long, the next call deletes the keys.
 */
async function forgetNodes(db: Database, generation: number, schema: string): Promise<number> {
  const unknown = `NOT EXISTS (SELECT FROM ${schema}.nodes n WHERE n.node = k.node)
    AND NOT EXISTS (SELECT FROM ${schema}.${nodesPast} p WHERE p.node = k.node)`;
  const [first] = await db.query({ text: `SELECT FROM ${schema}.known_nodes k WHERE ${unknown} LIMIT 1`, values: [] });
  if (first === undefined) return 0;
  try {
    return await db.transaction(async (session) => {
      // The statement checks again under the lock, because a batch can have added a row of such a node.
      await takeSharedRows(session, generation, held);
      const gone = await session.query({
        text: `DELETE FROM ${schema}.known_nodes WHERE node = ANY (ARRAY(
                 SELECT k.node FROM ${schema}.known_nodes k WHERE ${unknown} LIMIT $1)) RETURNING 1`,
        values: [rowsAtOnce],
      });
      return gone.length;
    });
  } catch (error) {
    const takesTooLong = isFault(error) && error.code === 'database.timeout';
    if (!takesTooLong && !isLockTimeout(error)) throw error;
    return 0;
  }
}

interface PastNode {
  readonly node: string;
  /** The earliest position that queries can ask about, in the partition of the node. */
  readonly start: number;
}

/**
 * Finds the next nodes with versions to delete. Reads only one entry of the index for each node, and not all versions
 * of the node.
 */
function findNodes(session: Session, schema: string, last: string): Promise<PastNode[]> {
  return session.query<PastNode>({
    text: `WITH RECURSIVE starts AS (SELECT count(*) AS partitions FROM ${schema}.history_starts),
           walk AS (
             (SELECT p.node FROM ${schema}.${nodesPast} p WHERE p.node > $1::bigint ORDER BY p.node LIMIT 1)
             UNION ALL
             SELECT (SELECT p.node FROM ${schema}.${nodesPast} p WHERE p.node > walk.node ORDER BY p.node LIMIT 1) FROM walk WHERE walk.node IS NOT NULL
           )
           SELECT walk.node::text AS node, h.next_offset AS start FROM walk, starts, ${schema}.history_starts h
           WHERE walk.node IS NOT NULL AND h.log_partition = ${partitionOfNode('walk.node', 'starts.partitions')}
             AND EXISTS (SELECT FROM ${schema}.${nodesPast} p WHERE p.node = walk.node AND p.until < h.next_offset)
           LIMIT $2`,
    values: [last, nodesAtOnce],
  });
}

const deleteTimeline = (session: Session, schema: string): Promise<number> =>
  deleteSome(
    session,
    `${schema}.timeline`,
    `SELECT t.ctid FROM ${schema}.history_starts h
     JOIN ${schema}.timeline t ON t.log_partition = h.log_partition AND t.log_offset < h.next_offset
     LIMIT $1 FOR UPDATE OF t SKIP LOCKED`,
    [rowsAtOnce],
  );

const deleteVersions = (session: Session, table: string, nodes: readonly PastNode[]): Promise<number> =>
  deleteSome(
    session,
    table,
    `SELECT p.ctid FROM unnest($1::bigint[], $2::bigint[]) AS n(node, start)
     JOIN ${table} p ON p.node = n.node AND p.until < n.start
     LIMIT $3 FOR UPDATE OF p SKIP LOCKED`,
    [arrayLiteral(nodes.map(({ node }) => node)), arrayLiteral(nodes.map(({ start }) => start)), rowsAtOnce],
  );

async function deleteSome(session: Session, table: string, rowsSql: string, values: unknown[]): Promise<number> {
  const [deleted] = await session.query<{ count: number }>({
    text: `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rowsSql})) RETURNING 1)
           SELECT count(*) AS count FROM gone`,
    values,
  });
  return deleted?.count ?? 0;
}

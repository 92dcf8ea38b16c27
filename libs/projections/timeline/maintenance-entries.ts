import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { WireNodesRestoration } from '#wire';
import { key64 } from '../keys';

/**
 * How long the table `deleted_nodes` keeps a deletion. The first record `apply age limits` after this time removes the
 * deletion from the table.
 */
export const deletionsKeptMs = 86_400_000;

const isoTime = (ms: number): string => new Date(ms).toISOString();

export async function insertExpiries(
  session: Session,
  schema: string,
  nodes: readonly string[],
  { partition, offset, uuid, receivedAt }: LogRecord,
): Promise<void> {
  await session.query({
    text: `INSERT INTO ${schema}.timeline (node, log_partition, log_offset, kind, uuid, received_at, added, changed, removed)
           SELECT node, $2, $3, 'expired', $4, $5, 0, 0, 0 FROM unnest($1::bigint[]) AS n(node)`,
    values: [arrayLiteral(nodes), partition, offset, uuid, isoTime(receivedAt)],
  });
}

/**
 * Must be called before the record changes the stored states of the nodes. Inserts a row for each change that
 * `lifeChanges` would find.
 */
export async function insertRestorations(
  session: Session,
  schema: string,
  nodes: WireNodesRestoration['nodes'],
  { partition, offset, uuid, receivedAt }: LogRecord,
): Promise<void> {
  await session.query({
    text: `INSERT INTO ${schema}.timeline (node, log_partition, log_offset, kind, uuid, received_at, added, changed, removed)
           SELECT t.node, $4, $5, c.kind, $6, $7, 0, 0, 0
           FROM unnest($1::bigint[], $2::boolean[], $3::boolean[]) AS t(node, is_deactivated, is_expired)
           LEFT JOIN ${schema}.nodes s USING (node),
           LATERAL (VALUES
             ('deactivated', t.is_deactivated AND s.deactivated IS NULL),
             ('expired', t.is_expired AND s.expired IS NULL),
             ('returned', NOT t.is_deactivated AND NOT t.is_expired AND (s.deactivated IS NOT NULL OR s.expired IS NOT NULL))
           ) AS c(kind, is_so) WHERE c.is_so`,
    values: [
      arrayLiteral(nodes.map(({ certname }) => key64(certname))),
      arrayLiteral(nodes.map(({ deactivated }) => deactivated !== null)),
      arrayLiteral(nodes.map(({ expired }) => expired !== null)),
      ...[partition, offset, uuid, isoTime(receivedAt)],
    ],
  });
}

export async function insertDeletion(
  session: Session,
  schema: string,
  certname: string,
  { partition, offset, uuid, receivedAt }: LogRecord,
): Promise<void> {
  await session.query({
    text: `INSERT INTO ${schema}.deleted_nodes (log_partition, log_offset, certname, uuid, received_at) VALUES ($1, $2, $3, $4, $5)`,
    values: [partition, offset, certname, uuid, isoTime(receivedAt)],
  });
}

export async function deleteOldDeletions(
  session: Session,
  schema: string,
  { partition, receivedAt }: LogRecord,
): Promise<void> {
  await session.query({
    text: `DELETE FROM ${schema}.deleted_nodes WHERE log_partition = $1 AND received_at < $2`,
    values: [partition, isoTime(receivedAt - deletionsKeptMs)],
  });
}

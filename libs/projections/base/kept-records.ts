/**
 * Finds the records that a snapshot of the log must contain. During the search, the generation must not change. Rows
 * that age limits have removed must already be deleted.
 */
import { arrayLiteral, type Database, isoTime, withoutTimeouts } from '#database';
import type { LogRecord, Position } from '#log';
import { isPartitionCommand, lifecycleCommands, type PartitionOfNodes } from '#wire';
import { documentTables } from '../schema/read-tables';

/**
 * `document`: the snapshot keeps the record. Otherwise, the snapshot replaces the record by a command `restore node` or
 * `restore nodes` with `nodeStates` (JSON texts).
 */
export type KeptRecord = 'document' | { readonly nodeStates: readonly string[]; readonly events?: KeptEvents };

/** An age limit has removed the events before `before`, for all nodes that are in every subset of `of`. */
export interface KeptEvents {
  readonly before: string;
  readonly of: readonly PartitionOfNodes[];
}

export const positionKey = ({ partition, offset }: Position): string => `${partition}/${offset}`;

export const maxPositionsPerQuery = 1_000;

/**
 * Creates the table `kept_records` and returns the number of its rows. `kind` is `d` for a document, and `s` for the
 * states of `nodes`. PostgreSQL refuses two rows for one record.
 */
export async function makeKeptTable(db: Database, schema: string): Promise<number> {
  const table = `${schema}.kept_records`;
  return db.transaction(async (session) => {
    const run = (text: string): Promise<unknown> => session.query({ text, values: [] });
    await withoutTimeouts(session);
    await run(`DROP TABLE IF EXISTS ${table}`);
    await run(`CREATE TABLE ${table} (
                 log_partition int, log_offset bigint, kind "char" NOT NULL, nodes bigint[],
                 PRIMARY KEY (log_partition, log_offset))`);
    for (const { name } of documentTables) {
      await run(`INSERT INTO ${table} SELECT log_partition, log_offset, 'd' FROM ${schema}.${name}`);
    }
    await run(`INSERT INTO ${table}
               SELECT log_partition, log_offset, 's', array_agg(node ORDER BY certname) FROM ${schema}.nodes
               WHERE log_offset IS NOT NULL GROUP BY 1, 2`);
    await run(`INSERT INTO ${table}
               SELECT log_partition, log_offset, 's', '{}' FROM ${schema}.removals WHERE kind = 'e'
               ON CONFLICT DO NOTHING`);
    await run(`ANALYZE ${table}`);
    const [found] = await session.query<{ count: number }>({ text: `SELECT count(*) FROM ${table}`, values: [] });
    return (found as { count: number }).count;
  });
}

/**
 * Looks up at most `maxPositionsPerQuery` positions. Returns a map from the `positionKey` of a record to the kept
 * record.
 */
export async function findKept(
  db: Pick<Database, 'query'>,
  schema: string,
  positions: readonly Position[],
): Promise<Map<string, KeptRecord>> {
  const rows = await db.query<{ partition: number; offset: number; states: string[] | null; events: string | null }>({
    text: `SELECT k.log_partition AS partition, k.log_offset AS offset,
             CASE k.kind WHEN 's' THEN (SELECT coalesce(array_agg(json_build_object(
               'certname', n.certname, 'deactivated', ${isoTime('n.deactivated')}, 'expired', ${isoTime('n.expired')},
               'expired_cutoff', ${isoTime('n.expired_cutoff')},
               'expire_facts', n.expires_facts, 'expire_facts_updated', ${isoTime('n.expires_facts_updated')})::text ORDER BY n.certname), '{}')
               FROM ${schema}.nodes n WHERE n.node = ANY (k.nodes)) END AS states,
             (SELECT json_build_object('before', ${isoTime('d.before')}, 'of', (
                SELECT json_agg(json_build_object('partition', p.part, 'partitions', p.parts))
                FROM unnest(d.parts, d.of_parts) AS p(part, parts)))::text
              FROM ${schema}.removals d
              WHERE k.kind = 's' AND d.kind = 'e' AND d.log_partition = k.log_partition AND d.log_offset = k.log_offset
             ) AS events
           FROM unnest($1::int[], $2::bigint[]) AS t(log_partition, log_offset)
           JOIN ${schema}.kept_records k USING (log_partition, log_offset)`,
    values: [arrayLiteral(positions.map((one) => one.partition)), arrayLiteral(positions.map((one) => one.offset))],
  });
  return new Map(
    rows.map(({ states, events, ...position }) => [
      positionKey(position),
      states === null
        ? 'document'
        : { nodeStates: states, ...(events !== null && { events: JSON.parse(events) as KeptEvents }) },
    ]),
  );
}

export async function* baseRecords(
  batches: AsyncIterable<readonly LogRecord[]>,
  lookUp: (positions: readonly Position[]) => Promise<ReadonlyMap<string, KeptRecord>>,
): AsyncGenerator<LogRecord, void, undefined> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += maxPositionsPerQuery) {
      const records = batch.slice(from, from + maxPositionsPerQuery);
      const kept = await lookUp(records.map(({ partition, offset }) => ({ partition, offset })));
      for (const record of records) {
        const as = kept.get(positionKey(record));
        if (as !== undefined) yield as === 'document' ? document(record) : restoration(record, as);
      }
    }
  }
}

/** Returns the record without `next`, because another record can follow it in the snapshot. */
function document({ headers, ...record }: LogRecord): LogRecord {
  const { uuid, command, version, certname, receivedAt, encoding, payload, partition, offset, parts } = record;
  const position = { partition, offset, ...(parts && { parts }) };
  const same = { uuid, command, version, certname, receivedAt, encoding, payload, ...position };
  return headers === undefined ? same : { ...same, headers };
}

function restoration(record: LogRecord, { nodeStates, events }: Exclude<KeptRecord, 'document'>): LogRecord {
  const { uuid, certname, receivedAt, partition, offset } = record;
  const ofPartition = isPartitionCommand(record.command);
  const ofEvents =
    events === undefined ? '' : `,"events_before":"${events.before}","events_of":${JSON.stringify(events.of)}`;
  const payload = Buffer.from(
    ofPartition
      ? `{"certname":${JSON.stringify(certname)},"nodes":[${nodeStates.join(',')}]${ofEvents}}`
      : (nodeStates[0] as string),
  );
  const command = ofPartition ? lifecycleCommands.restoreNodes : lifecycleCommands.restoreNode;
  return { ...command, uuid, certname, receivedAt, encoding: 'identity', payload, partition, offset };
}

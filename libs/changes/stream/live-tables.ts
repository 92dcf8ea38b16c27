import { createHash } from 'node:crypto';
import type { Session } from '#database';
import { projectionVersion } from '#projections';
import { noTables, otherSchemaVersion } from '#query';

export interface LiveTables {
  readonly generation: number;
  readonly schema: string;
  readonly projectionVersion: number;
  readonly logId: string;
  /** Identifies the log and its database, like `log` in StreamPosition. */
  readonly log: string;
  readonly applied: readonly number[];
}

interface Row {
  readonly generation: number;
  readonly schema: string;
  readonly version: number;
  readonly logId: string;
  readonly database: string;
  readonly partition: number;
  readonly applied: number;
}

/**
 * SQL for a text that identifies the database, and that changes if PostgreSQL restores the database from a backup
 * (another identifier or timeline). The restored database may lack the last records, and gives their offsets to new
 * records. So a position from before the restore must count as a position in another log.
 */
const database = `(SELECT concat_ws(' ', s.system_identifier, c.timeline_id, d.oid) FROM pg_control_system() s, pg_control_checkpoint() c, pg_database d
  WHERE d.datname = current_database())`;

/** Throws `query.no-tables` or `query.other-form`, both of the kind `busy`. */
export async function readLiveTables(session: Pick<Session, 'query'>): Promise<LiveTables> {
  const rows = await session.query<Row>({
    name: 'live-tables-of-changes',
    text: `SELECT g.generation, g.schema_name AS schema, g.projection_version AS version, p.log_id::text AS "logId",
             ${database} AS database, p.log_partition AS partition, p.next_offset AS applied
           FROM nodeledger.generations g JOIN nodeledger.positions p USING (generation) WHERE g.state = 'live'
           ORDER BY p.log_partition`,
    values: [],
  });
  const [first] = rows;
  if (first === undefined) throw noTables();
  const { generation, schema, version, logId } = first;
  if (version !== projectionVersion) throw otherSchemaVersion(version, projectionVersion);
  const log = createHash('sha256').update(`${logId} ${first.database}`).digest('hex').slice(0, 16);
  return { generation, schema, projectionVersion, logId, log, applied: rows.map(({ applied }) => applied) };
}

import type { Generation } from './generations';
import type { StoredPosition } from './positions';

/** The live generation and where it stands, as one snapshot sees them. */
export interface LiveTables extends Generation {
  readonly positions: ReadonlyMap<number, StoredPosition>;
}

export interface LiveTablesRow {
  readonly generation: number;
  readonly schema: string;
  readonly projectionVersion: number;
  /** `partition:log:offset`, separated by spaces; null without positions. */
  readonly positions: string | null;
}

/** One row, or none where no generation is live. Takes no values, so that it can open a transaction. */
export const liveTablesQuery = `SELECT g.generation, g.schema_name AS schema, g.projection_version AS "projectionVersion",
    (SELECT string_agg(p.log_partition || ':' || p.log_id || ':' || p.next_offset, ' ') FROM nodeledger.positions p
      WHERE p.generation = g.generation) AS positions
  FROM nodeledger.generations g WHERE g.state = 'live'`;

/** The positions are read only where somebody asks for them: most queries do not, and there may be a thousand. */
export function liveTablesOf({ positions, ...generation }: LiveTablesRow): LiveTables {
  let read: ReadonlyMap<number, StoredPosition> | undefined;
  return {
    ...generation,
    get positions() {
      read ??= new Map((positions ?? '').split(' ').filter(Boolean).map(readPosition));
      return read;
    },
  };
}

function readPosition(text: string): [number, StoredPosition] {
  const [partition = '', logId = '', offset = ''] = text.split(':');
  return [Number(partition), { logId, nextOffset: Number(offset) }];
}

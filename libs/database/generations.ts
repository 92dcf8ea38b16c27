import { Fault } from '#fault';
import { arrayLiteral } from './array-literal';
import { textCollation } from './collation';
import type { Database } from './database';
import { positionsOf, type StoredPosition } from './positions';
import type { Session } from './session';
import { withoutTimeouts } from './untimed';

/** One complete set of read tables. */
export interface Generation {
  readonly generation: number;
  /** Schema name; needs no quoting. */
  readonly schema: string;
  readonly projectionVersion: number;
}

export interface GenerationDefinition {
  /** Statements that create the read tables, with the placeholders `{schema}` and `{collation}`. */
  readonly ddl: string;
  readonly projectionVersion: number;
  /** The log, and the first offset of each partition. */
  readonly log: { readonly logId: string; readonly starts: ReadonlyMap<number, number> };
  /**
   * `serve` (default): the live generation, created if there is none. `rebuild`: a new one that can become live.
   * `scratch`: a new one that never becomes live.
   */
  readonly purpose?: 'serve' | 'rebuild' | 'scratch' | undefined;
  /** Writes the first rows, in the transaction that creates the tables. */
  readonly prepare?: (session: Session, schema: string) => Promise<void>;
}

/**
 * `building`: being filled. `retired`: was live before. `scratch`: dropped soon. `point`: shows an earlier position.
 * `dropped`: being dropped, and may have lost some of its tables.
 */
export type GenerationState = 'building' | 'live' | 'retired' | 'scratch' | 'point' | 'dropped';

export interface ListedGeneration extends Generation {
  readonly state: GenerationState;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** Dropping a table takes a lock for the table, each of its indexes and partitions, and its TOAST table. */
const tablesAtOnce = 25;

/** NOTIFY channel for a switch to another live generation. */
export const generationChannel = 'nodeledger_generation';

interface GenerationRow {
  generation: number;
  schema: string;
  projectionVersion: number;
}

const columns = `generation, schema_name AS schema, projection_version AS "projectionVersion"`;

/** The generations of read tables in a database. */
export class Generations {
  constructor(private readonly db: Database) {}

  /** Returns the live generation, or undefined if there is none. */
  async live(): Promise<Generation | undefined> {
    const [live] = await this.db.query<GenerationRow>({
      name: 'live-generation',
      text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
      values: [],
    });
    return live;
  }

  /** Returns all generations, oldest first. */
  list(): Promise<ListedGeneration[]> {
    return this.db.query<ListedGeneration>({
      text: `SELECT ${columns}, state, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
             FROM nodeledger.generations ORDER BY generation`,
      values: [],
    });
  }

  /**
   * Removes a generation and all its tables, unless it is live. Uses several transactions, because the server has locks
   * for a limited number of tables. After a crash between two of them, the generation is `dropped`, and another call
   * removes the rest.
   */
  async drop({ generation, schema }: Generation): Promise<void> {
    if (!(await this.giveUp(generation))) return;
    while ((await this.dropSomeTables(schema)) === tablesAtOnce);
    await this.db.transaction(async (session) => {
      await withoutTimeouts(session);
      await session.query({ text: `DROP SCHEMA IF EXISTS ${schema} CASCADE`, values: [] });
      await session.query({ text: 'DELETE FROM nodeledger.generations WHERE generation = $1', values: [generation] });
    });
  }

  /**
   * Marks a generation as `dropped` and deletes its positions, so that no projector fills it any more. Returns false if
   * it is live.
   */
  private giveUp(generation: number): Promise<boolean> {
    return this.db.transaction(async (session) => {
      await withoutTimeouts(session);
      const given = await session.query({
        text: `UPDATE nodeledger.generations SET state = 'dropped' WHERE generation = $1 AND state <> 'live' RETURNING 1`,
        values: [generation],
      });
      if (given.length === 0) return false;
      // Waits for a batch that is being written.
      await session.query({ text: 'DELETE FROM nodeledger.positions WHERE generation = $1', values: [generation] });
      return true;
    });
  }

  private dropSomeTables(schema: string): Promise<number> {
    return this.db.transaction(async (session) => {
      await withoutTimeouts(session);
      const tables = await session.query<{ name: string }>({
        text: `SELECT format('%I.%I', n.nspname, c.relname) AS name
               FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY c.relkind = 'p', 1 LIMIT $2`,
        values: [schema, tablesAtOnce],
      });
      const names = tables.map(({ name }) => name).join(', ');
      if (names !== '') await session.query({ text: `DROP TABLE ${names} CASCADE`, values: [] });
      return tables.length;
    });
  }

  /**
   * Makes `next` live in one transaction, which locks the positions of the live generation from its beginning, so that
   * nothing is applied there meanwhile. `catchUp` gets these positions and brings `next` to them on its own connections.
   * The previous live generation becomes retired. Faults: `database.behind` (conflict) if `isEnough` returns false; by
   * default, if `next` is behind the live generation in a partition.
   */
  async switchTo(
    next: Generation,
    catchUp: (live: ReadonlyMap<number, StoredPosition>) => Promise<void>,
    also?: (session: Session) => Promise<void>,
    isEnough: (
      live: ReadonlyMap<number, StoredPosition>,
      next: ReadonlyMap<number, StoredPosition>,
    ) => boolean = atOrPast,
  ): Promise<void> {
    await this.db.transaction(async (session) => {
      await withoutTimeouts(session);
      const live = await this.lockedLivePositions(session);
      await catchUp(live);
      const reached = await positionsOf(session, next.generation, true);
      if (!isEnough(live, reached)) {
        throw new Fault('conflict', 'database.behind', `the read tables ${next.schema} are behind the live ones`, {
          details: { live: [...live], next: [...reached] },
        });
      }
      await also?.(session);
      await session.query({
        text: `UPDATE nodeledger.generations SET state = 'retired' WHERE state = 'live'`,
        values: [],
      });
      await this.setState(next, 'live', session);
      await session.query({ text: `SELECT pg_notify($1, $2)`, values: [generationChannel, String(next.generation)] });
    });
  }

  /**
   * Returns the positions of the live generation, locked until the session's transaction ends. Empty if no generation is
   * live.
   */
  async lockedLivePositions(session: Session): Promise<Map<number, StoredPosition>> {
    const [live] = await session.query<GenerationRow>({
      text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
      values: [],
    });
    return live === undefined ? new Map() : positionsOf(session, live.generation, true);
  }

  /** Changes nothing if the generation is no longer in the state `from`. */
  async setState(
    generation: Generation,
    state: GenerationState,
    session: Database | Session = this.db,
    from?: GenerationState,
  ): Promise<void> {
    await session.query({
      text: `UPDATE nodeledger.generations SET state = $2 WHERE generation = $1 AND ($3::text IS NULL OR state = $3)`,
      values: [generation.generation, state, from ?? null],
    });
  }

  /**
   * Creates the next generation in one transaction: schema `gen_<n>`, its tables and positions. A generation to serve
   * becomes live at once. If another process was faster, returns that process's generation.
   */
  async create(definition: GenerationDefinition): Promise<Generation> {
    const collation = await textCollation(this.db);
    return this.db.transaction(async (session) => {
      await session.query({
        text: `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
        values: ['nodeledger generations'],
      });
      const found =
        definition.purpose === undefined || definition.purpose === 'serve' ? await existingLive(session) : undefined;
      return found ?? (await make(session, definition, collation));
    });
  }
}

async function existingLive(session: Session): Promise<Generation | undefined> {
  const [found] = await session.query<GenerationRow>({
    text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
    values: [],
  });
  return found;
}

/** Returns whether `next` has applied at least the records of the live generation. */
function atOrPast(live: ReadonlyMap<number, StoredPosition>, next: ReadonlyMap<number, StoredPosition>): boolean {
  return [...live].every(
    ([partition, { logId, nextOffset }]) =>
      next.get(partition)?.logId === logId && (next.get(partition)?.nextOffset ?? 0) >= nextOffset,
  );
}

async function make(session: Session, definition: GenerationDefinition, collation: string): Promise<Generation> {
  const { ddl, projectionVersion, log, purpose = 'serve' } = definition;
  const [next] = await session.query<{ generation: number }>({
    text: `SELECT nextval('nodeledger.generation_numbers')::int AS generation`,
    values: [],
  });
  if (next === undefined) throw new Fault('broken', 'database.no-answer', 'the next generation did not get a number');
  const { generation } = next;
  const schema = `gen_${generation}`;
  await session.query({ text: `CREATE SCHEMA ${schema}`, values: [] });
  await session.query({
    text: ddl.replaceAll('{schema}', schema).replaceAll('{collation}', collation),
    values: [],
  });
  await session.query({
    text: `INSERT INTO nodeledger.generations (generation, schema_name, projection_version, state)
           VALUES ($1, $2, $3, $4)`,
    values: [generation, schema, projectionVersion, stateOf[purpose]],
  });
  await session.query({
    text: `INSERT INTO nodeledger.positions (generation, log_partition, log_id, next_offset)
           SELECT $1::int, log_partition, $2::uuid, next_offset FROM unnest($3::int[], $4::bigint[]) AS t(log_partition, next_offset)`,
    values: [generation, log.logId, arrayLiteral([...log.starts.keys()]), arrayLiteral([...log.starts.values()])],
  });
  await definition.prepare?.(session, schema);
  return { generation, schema, projectionVersion };
}

const stateOf = { serve: 'live', rebuild: 'building', scratch: 'scratch' } as const;

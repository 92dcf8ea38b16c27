import { Fault } from '#fault';
import { arrayLiteral, isoTime } from './sql-text';
import { textCollation } from './collation';
import type { Database } from './database';
import { positionsOf, type StoredPosition } from './positions';
import type { Session } from './session';
import { withoutTimeouts } from './untimed';

export interface Generation {
  readonly generation: number;
  readonly schema: string;
  readonly projectionVersion: number;
}

export interface GenerationDefinition {
  readonly ddl: string;
  readonly projectionVersion: number;
  /** `starts`: the first offset to read in each partition. */
  readonly log: { readonly logId: string; readonly starts: ReadonlyMap<number, number> };
  /**
   * `serve` (default): the live generation, which is created if there is none. `rebuild`: a generation that can become
   * live. `scratch`: a generation that never becomes live.
   */
  readonly purpose?: 'serve' | 'rebuild' | 'scratch' | undefined;
  readonly prepare?: (session: Session, schema: string) => Promise<void>;
}

/**
 * `building`: a projector fills it. `retired`: it was live before. `scratch`: it exists for one task. `point`: it shows
 * the tables as they were at an earlier position. `dropped`: it is being deleted, and some tables can be missing.
 */
export type GenerationState = 'building' | 'live' | 'retired' | 'scratch' | 'point' | 'dropped';

export interface ListedGeneration extends Generation {
  readonly state: GenerationState;
  readonly createdAt: string;
}

/**
 * Number of tables that one transaction drops. A drop locks the table, its TOAST table, and each index and partition,
 * and the server has a limited number of locks.
 */
const tablesAtOnce = 25;

export const generationChannel = 'nodeledger_generation';

interface GenerationRow {
  generation: number;
  schema: string;
  projectionVersion: number;
}

const columns = `generation, schema_name AS schema, projection_version AS "projectionVersion"`;

export class Generations {
  constructor(private readonly db: Database) {}

  async live(): Promise<Generation | undefined> {
    const [live] = await this.db.query<GenerationRow>({
      name: 'live-generation',
      text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
      values: [],
    });
    return live;
  }

  list(): Promise<ListedGeneration[]> {
    return this.db.query<ListedGeneration>({
      text: `SELECT ${columns}, state, ${isoTime('created_at')} AS "createdAt"
             FROM nodeledger.generations ORDER BY generation`,
      values: [],
    });
  }

  /**
   * Deletes a generation. Does nothing if the generation is live. If a crash interrupts the deletion, another call
   * deletes the remaining tables.
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
   * Deletes the positions of the generation, so that no projector continues to fill the generation. Returns false if
   * the generation is live.
   */
  private giveUp(generation: number): Promise<boolean> {
    return this.db.transaction(async (session) => {
      await withoutTimeouts(session);
      const given = await session.query({
        text: `UPDATE nodeledger.generations SET state = 'dropped' WHERE generation = $1 AND state <> 'live' RETURNING 1`,
        values: [generation],
      });
      if (given.length === 0) return false;
      // This deletion waits for a batch that is being written.
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
   * Makes `next` the live generation. The transaction first locks the positions of the live generation, so that no
   * projector can apply records to it. `catchUp` gets these positions, and applies the records before them to `next`,
   * on other connections. Throws `database.behind` if `isEnough` returns false.
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

  /** Locks the positions until the transaction ends. Returns an empty map if no generation is live. */
  async lockedLivePositions(session: Session): Promise<Map<number, StoredPosition>> {
    const [live] = await session.query<GenerationRow>({
      text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
      values: [],
    });
    return live === undefined ? new Map() : positionsOf(session, live.generation, true);
  }

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

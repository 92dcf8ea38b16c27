import { Fault } from '#fault';
import { textCollation } from './collation';
import type { Database } from './database';
import type { Session } from './session';

/** One complete set of read tables. */
export interface Generation {
  readonly generation: number;
  /** Schema name; needs no quoting. */
  readonly schema: string;
  readonly projectionVersion: number;
}

export interface GenerationDefinition {
  /** Statements that make the read tables, with `{schema}` and `{collation}` to be filled in. */
  readonly ddl: string;
  readonly projectionVersion: number;
  /** The log that will be folded: the positions begin at offset 1 of each partition, behind the header. */
  readonly log: { readonly logId: string; readonly partitions: number };
  /** Wants a further generation beside a live one of the same projection version. */
  readonly rebuild?: boolean;
}

interface GenerationRow {
  generation: number;
  schema: string;
  projectionVersion: number;
}

const columns = `generation, schema_name AS schema, projection_version AS "projectionVersion"`;
const cacheMs = 250;

/** The generations of read tables that a database holds. */
export class Generations {
  private cached: { readonly at: number; readonly generation: Generation } | undefined;
  private looking: Promise<Generation | undefined> | undefined;

  constructor(private readonly db: Database) {}

  /** The live generation, cached for a moment; `refresh` looks again. Undefined: none yet. */
  async live(refresh = false): Promise<Generation | undefined> {
    if (!refresh && this.cached !== undefined && performance.now() - this.cached.at < cacheMs) {
      return this.cached.generation;
    }
    if (refresh) return this.look();
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /**
   * Makes the next generation in one transaction: schema `gen_<n>`, its tables, its positions. It becomes live if none
   * is, else it is building. Where a live or building generation of that projection version is there already (another
   * process was faster, or a rebuild was left half-done), that one is returned; with `rebuild` only a building one counts.
   */
  async create(definition: GenerationDefinition): Promise<Generation> {
    const collation = await textCollation(this.db);
    const made = await this.db.transaction(async (session) => {
      await session.query({
        text: `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
        values: ['nodeledger generations'],
      });
      return (await existing(session, definition)) ?? (await make(session, definition, collation));
    });
    this.cached = undefined;
    return made;
  }

  private async look(): Promise<Generation | undefined> {
    const [row] = await this.db.query<GenerationRow>({
      name: 'live-generation',
      text: `SELECT ${columns} FROM nodeledger.generations WHERE state = 'live'`,
      values: [],
    });
    this.cached = row === undefined ? undefined : { at: performance.now(), generation: row };
    return row;
  }
}

async function existing(session: Session, definition: GenerationDefinition): Promise<Generation | undefined> {
  const states = definition.rebuild === true ? ['building'] : ['building', 'live'];
  const [found] = await session.query<GenerationRow>({
    text: `SELECT ${columns} FROM nodeledger.generations
           WHERE projection_version = $1 AND state = ANY ($2) ORDER BY state = 'live' DESC, generation DESC LIMIT 1`,
    values: [definition.projectionVersion, states],
  });
  return found;
}

async function make(session: Session, definition: GenerationDefinition, collation: string): Promise<Generation> {
  const { ddl, projectionVersion, log } = definition;
  const [next] = await session.query<{ generation: number; live: boolean }>({
    text: `SELECT coalesce(max(generation), 0) + 1 AS generation, coalesce(bool_or(state = 'live'), false) AS live
           FROM nodeledger.generations`,
    values: [],
  });
  if (next === undefined) throw new Fault('broken', 'database.no-answer', 'the generations could not be counted');
  const { generation } = next;
  const schema = `gen_${generation}`;
  // What an interrupted drop may have left; no registered generation can have this number.
  await session.query({ text: `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`, values: [] });
  await session.query({
    text: ddl.replaceAll('{schema}', schema).replaceAll('{collation}', collation),
    values: [],
  });
  await session.query({
    text: `INSERT INTO nodeledger.generations (generation, schema_name, projection_version, state)
           VALUES ($1, $2, $3, $4)`,
    values: [generation, schema, projectionVersion, next.live ? 'building' : 'live'],
  });
  await session.query({
    text: `INSERT INTO nodeledger.positions (generation, log_partition, log_id, next_offset)
           SELECT $1::int, p, $2::uuid, 1 FROM generate_series(0, $3::int - 1) AS p`,
    values: [generation, log.logId, log.partitions],
  });
  return { generation, schema, projectionVersion };
}

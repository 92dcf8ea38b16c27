import { randomUUID } from 'node:crypto';
import { Database, Generations, migrateControlTables, positionsOf, type Generation } from '#database';
import { defaultLimits } from '#limits';
import type { CommandLog, Position } from '#log';
import { Projector, newTables, deleteRemovedRows, type DeadLetter, type ProjectorOptions } from '#projections';
import { MemoryCommandLog } from '../../libs/log/testing/memory-command-log';
import { freshDatabase } from './postgres';

export interface SubmitOptions {
  readonly version?: number;
  /** The payload in the form in which it is sent: text, bytes, or a value that is written as JSON. */
  readonly payload: unknown;
  readonly receivedAt?: number;
}

const currentVersion: Record<string, number> = {
  'replace facts': 5,
  'replace catalog': 9,
  'store report': 8,
  'deactivate node': 3,
};

const usedBy = (key: string, tables: readonly string[]): string =>
  tables.map((table) => `t.${key} IN (SELECT ${key} FROM {schema}.${table})`).join(' OR ');

/**
 * Decides whether a row of a shared table counts. Independent of the product's comparison of generations, which is
 * tested with it.
 */
const inUse: Readonly<Record<string, string>> = {
  environments: usedBy('environment', ['factsets', 'catalogs', 'reports']),
  producers: usedBy('producer', ['factsets', 'catalogs', 'reports']),
  fact_paths: usedBy('path', ['fact_contents']),
  fact_path_types: 'EXISTS (SELECT FROM {schema}.fact_contents c WHERE c.path = t.path AND c.type = t.type)',
  resource_contents: usedBy('content', ['catalog_resources']),
  packages: 't.package IN (SELECT unnest(packages) FROM {schema}.package_inventory)',
};

/** As ProjectionBench.dump, for any database. */
export async function dumpTables(
  db: Database,
  { schema }: Pick<Generation, 'schema'>,
): Promise<Record<string, string[]>> {
  const tables = await db.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND c.relname NOT IN ('kept_records', 'removals') ORDER BY 1`,
    values: [schema],
  });
  const [past] = await db.query({ text: `SELECT FROM ${schema}.history_starts LIMIT 1`, values: [] });
  // Without a past, the newest of the documents in a batch decides.
  const ignored = past === undefined ? ` - 'since'` : '';
  if (past !== undefined) {
    const unknown = await db.query<{ certname: string }>({
      text: `SELECT certname FROM ${schema}.nodes WHERE node NOT IN (SELECT node FROM ${schema}.known_nodes)`,
      values: [],
    });
    if (unknown.length > 0) throw new Error(`questions about the past do not know ${unknown[0]?.certname}`);
  }
  const dump: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>({
      text: `SELECT (to_jsonb(t)${ignored})::text AS row FROM ${schema}.${name} t
             WHERE ${(inUse[name] ?? 'true').replaceAll('{schema}', schema)} ORDER BY 1`,
      values: [],
    });
    dump[name] = rows.map(({ row }) => row);
  }
  return dump;
}

/** A log, in memory unless a test opens another one, a database, and projectors, for the specs of projections. */
export class ProjectionBench {
  readonly deadLetters: DeadLetter[] = [];
  /** Facts that later projectors do not store. */
  dropFact: ((name: string) => boolean) | undefined;
  /** Later projectors reject larger commands. */
  maxCommandBytes = 20_000_000;

  private constructor(
    readonly db: Database,
    readonly log: CommandLog,
    readonly logId: string,
    readonly generation: Generation,
    readonly connectionString: string,
    readonly keepsPast: boolean,
    readonly volatileFacts: readonly string[],
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(
    partitions = 4,
    keepsPast = true,
    volatileFacts: readonly string[] = [],
    makeLog: (connectionString: string) => CommandLog | Promise<CommandLog> = () =>
      new MemoryCommandLog({ partitions }),
  ): Promise<ProjectionBench> {
    const database = await freshDatabase();
    const { connectionString } = database;
    await migrateControlTables(connectionString);
    const db = new Database({ connectionString, max: 6 });
    const log = await makeLog(connectionString);
    const { logId } = await log.open();
    const generation = await new Generations(db).create(
      newTables({ logId, extent: await log.extent(), keepsPast, volatileFacts }),
    );
    const drop = (): Promise<void> => database.drop();
    return new ProjectionBench(db, log, logId, generation, connectionString, keepsPast, volatileFacts, drop);
  }

  async submit(command: string, certname: string, options: SubmitOptions): Promise<Position> {
    const { payload } = options;
    const bytes = Buffer.isBuffer(payload)
      ? payload
      : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    return this.log.append({
      uuid: randomUUID(),
      command,
      version: options.version ?? (currentVersion[command] as number),
      certname,
      receivedAt: options.receivedAt ?? Date.UTC(2026, 5, 1),
      encoding: 'identity',
      payload: bytes,
    });
  }

  /** Creates a projector from the bench's log into the live generation; `options` replace defaults. */
  projector(options: Partial<ProjectorOptions> = {}): Projector {
    return new Projector({
      db: this.db,
      log: this.log,
      logId: this.logId,
      generation: this.generation,
      maxCommandBytes: this.maxCommandBytes,
      limits: defaultLimits,
      onDeadLetter: (letter) => void this.deadLetters.push(letter),
      dropFact: this.dropFact,
      ...options,
    });
  }

  /** Runs projectors until every record is applied, then deletes the rows that age limits remove. */
  async settle(
    generation = this.generation,
    {
      projectors = 1,
      batchRecords,
      removes = true,
    }: { projectors?: number; batchRecords?: number; removes?: boolean } = {},
  ): Promise<void> {
    const ends = await this.log.ends();
    const stop = new AbortController();
    const running = Array.from({ length: projectors }, () =>
      this.projector({ generation, ...(batchRecords && { batchRecords }) }).run(stop.signal),
    );
    const failed = Promise.all(running).then(() => undefined);
    try {
      for (;;) {
        const positions = await positionsOf(this.db, generation.generation);
        if ([...ends].every(([partition, end]) => (positions.get(partition)?.nextOffset ?? 0) >= end)) break;
        await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 10))]);
      }
    } finally {
      stop.abort();
      await failed;
    }
    if (removes) await deleteRemovedRows(this.db, generation);
  }

  /** Creates another empty generation, as a rebuild does. Drops the previous one of these. */
  async newGeneration(): Promise<Generation> {
    await this.db.query({
      text: `UPDATE nodeledger.generations SET state = 'retired' WHERE state = 'building'`,
      values: [],
    });
    const made = await new Generations(this.db).create(
      newTables(
        {
          logId: this.logId,
          extent: await this.log.extent(),
          keepsPast: this.keepsPast,
          volatileFacts: this.volatileFacts,
        },
        'rebuild',
      ),
    );
    if (made.generation === this.generation.generation) throw new Error('this is the live generation');
    return made;
  }

  /** Makes the database refuse a resource with this title. Nothing else can detect that its record is bad. */
  async refuseResource(title: string): Promise<void> {
    await this.rows(`ALTER TABLE {schema}.resource_contents ADD CHECK (title <> '${title}')`);
  }

  async rows<R>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.db.query<R>({ text: text.replaceAll('{schema}', this.generation.schema), values });
  }

  /**
   * Returns every read table as text, ordered by content, without parts that differ between equal tables: partitions of
   * events, and unreferenced shared rows (a document that a newer one of the same batch replaces leaves none).
   */
  async dump(generation = this.generation): Promise<Record<string, string[]>> {
    return dumpTables(this.db, generation);
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.db.close();
    await this.drop();
  }
}

import type { Limits } from '#limits';
import { anySchema, bind, type Fragment, render, sql, table, type TableReader, type TableRequest } from '#query';

/**
 * Finds the nodes that match the query of a stream. Each check uses one of the client's permits for queries. `nodes`
 * selects the keys of the matching nodes.
 */
export class NodeCondition {
  constructor(
    private readonly tables: TableReader,
    private readonly nodes: Fragment,
    private readonly limits: Limits,
    private readonly client: TableRequest,
  ) {}

  /**
   * Runs the query for one node, so that the client gets the error if PostgreSQL refuses the query. Throws faults whose
   * codes begin with `query.`.
   */
  async check(): Promise<void> {
    await this.read(sql`SELECT count(*)::text AS row FROM (${this.nodes} LIMIT 1) n`);
  }

  /**
   * Returns those of the given nodes that match the query. Inactive nodes can match, too. Throws faults whose codes
   * begin with `query.`.
   */
  async matching(certnames: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.read(
      sql`SELECT coalesce(json_agg(n.certname), '[]')::text AS row FROM ${table('nodes')} n
        WHERE n.certname = ANY (${bind(certnames, 'text[]')}) AND n.node IN (${this.nodes})`,
    );
    return new Set(JSON.parse(found ?? '[]') as string[]);
  }

  private read(statement: Fragment): Promise<string | undefined> {
    return this.tables.read(this.client, (snapshot) => snapshot.one(render(statement, anySchema, this.limits)));
  }
}

import { Fault } from '#fault';
import { sliceElements } from '#wire';
import type { Peer } from './peer';

export interface SourceNode {
  readonly certname: string;
  /** Time in ISO 8601, or null if the node is not deactivated. */
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly expiresFacts: boolean | null;
  readonly expiresFactsUpdated: string | null;
}

/** `hash` is absent for catalog inputs. */
export interface DocumentKey {
  readonly certname: string;
  readonly hash?: string;
  readonly producerTimestamp: string | null;
}

export type Entity = 'factsets' | 'catalogs' | 'catalog-inputs' | 'reports';

type Query = readonly unknown[];

const anyState: Query = ['=', 'node_state', 'any'];
const anyType: Query = ['=', 'type', 'any'];
export const countedEntities = [
  'nodes',
  'factsets',
  'facts',
  'package-inventory',
  'catalogs',
  'resources',
  'edges',
  'catalog-inputs',
  'reports',
  'events',
] as const;
export type CountedEntity = (typeof countedEntities)[number];

/**
 * Conditions that make a server return all rows. Without them, it would omit the rows of inactive nodes, for example.
 */
const lifted: Readonly<Partial<Record<CountedEntity, Query>>> = {
  nodes: anyState,
  factsets: anyState,
  facts: anyState,
  'package-inventory': anyState,
  resources: anyState,
  edges: anyState,
  'catalog-inputs': anyState,
  reports: anyType,
};

const both = (...conditions: readonly (Query | undefined)[]): Query => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 1 ? (given[0] as Query) : ['and', ...given];
};
const ofNodes = (certnames: readonly string[]): Query => ['in', 'certname', ['array', certnames]];

export class Store {
  constructor(private readonly peer: Peer) {}

  async version(): Promise<string> {
    const { body } = await this.peer.ask({ method: 'GET', path: '/pdb/meta/v1/version' });
    const { version } = JSON.parse(body.toString('utf8')) as { version?: unknown };
    return String(version);
  }

  /**
   * Returns the sorted certnames of all nodes, active or not. Uses one request instead of pages. Pages by offset would
   * skip a node if a node of an earlier page was purged in the meantime, and pages by certname are impossible, because
   * PuppetDB cannot compare certnames with `<` or `>`.
   */
  async certnames(): Promise<string[]> {
    const rows = await this.rows('nodes', ['extract', ['certname'], anyState]);
    return rows.map((row) => String(row['certname'])).sort();
  }

  async nodesNamed(certnames: readonly string[]): Promise<ReadonlyMap<string, SourceNode>> {
    const rows = await this.rows('nodes', both(ofNodes(certnames), anyState), { include_facts_expiration: 'true' });
    return new Map(rows.map((row) => [String(row['certname']), nodeOf(row)]));
  }

  async keys(entity: Entity, certnames: readonly string[]): Promise<DocumentKey[]> {
    const fields =
      entity === 'catalog-inputs' ? ['certname', 'producer_timestamp'] : ['certname', 'hash', 'producer_timestamp'];
    const rows = await this.rows(entity, ['extract', fields, both(ofNodes(certnames), lifted[entity])]);
    return rows.map((row) => {
      const {
        certname,
        hash,
        producer_timestamp: time,
      } = row as { certname: string; hash?: string; producer_timestamp: string | null };
      return { certname, ...(hash !== undefined && { hash }), producerTimestamp: time };
    });
  }

  /** Returns a document as raw text, or undefined if the node does not have it, or no longer has it. */
  async document(entity: Exclude<Entity, 'reports'>, certname: string): Promise<string | undefined> {
    const [row] = await this.texts(entity, both(['=', 'certname', certname], lifted[entity]));
    return row;
  }

  /** Returns raw texts, in any order. */
  reports(hashes: readonly string[]): Promise<string[]> {
    return this.texts('reports', both(['in', 'hash', ['array', hashes]], anyType));
  }

  /** Returns `[name, version, provider]` of each package, as JSON text. */
  async packages(certname: string): Promise<string[]> {
    const rows = await this.rows('package-inventory', both(['=', 'certname', certname], anyState));
    return rows.map(({ package_name: name, version, provider }) => JSON.stringify([name, version, provider]));
  }

  async count(entity: CountedEntity): Promise<number> {
    const condition = lifted[entity];
    const query = ['extract', [['function', 'count']], ...(condition === undefined ? [] : [condition])];
    const [row] = await this.rows(entity, query);
    const count = row?.['count'];
    if (typeof count !== 'number') {
      throw new Fault('broken', 'migrate.refused', `the server does not count its ${entity}`, {
        hint: 'Check that the address is that of a server of this interface.',
      });
    }
    return count;
  }

  private async rows(
    entity: string,
    query: Query,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>[]> {
    const text = await this.text(entity, query, more);
    return JSON.parse(text) as Record<string, unknown>[];
  }

  private async texts(entity: string, query: Query): Promise<string[]> {
    return sliceElements(await this.text(entity, query)) ?? [];
  }

  /** Uses POST, because a query can contain many certnames. */
  private async text(entity: string, query: Query, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const body = Buffer.from(JSON.stringify({ query, ...more }));
    const answer = await this.peer.ask({
      method: 'POST',
      path: `/pdb/query/v4/${entity}`,
      headers: { 'content-type': 'application/json', 'content-length': body.length },
      body,
    });
    return answer.body.toString('utf8');
  }
}

function nodeOf(row: Record<string, unknown>): SourceNode {
  const text = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null);
  const expires = row['expires_facts'];
  return {
    certname: String(row['certname']),
    deactivated: text('deactivated'),
    expired: text('expired'),
    expiresFacts: typeof expires === 'boolean' ? expires : null,
    expiresFactsUpdated: text('expires_facts_updated'),
  };
}

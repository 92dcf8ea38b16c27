/** Descriptions of routes for the OpenAPI document. */
import type { Limits } from '#limits';
import type { Schema } from './schema';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The sections of the document in their order, with descriptions. */
export const tags = {
  commands: 'Submit facts, catalogs, reports and other commands about nodes.',
  queries: 'Query what is stored. A query is JSON (AST) or PQL.',
  nodes: 'Nodes, and what belongs to one node.',
  facts: 'Facts, factsets, paths and values of facts, and the inventory.',
  catalogs: 'Catalogs with their resources, edges and inputs.',
  reports: 'Reports with their events, logs and metrics.',
  environments: 'Environments, and what belongs to one environment.',
  producers: 'The servers that sent the data, and what they sent.',
  packages: 'Packages that nodes have installed.',
  changes: 'What has changed, and where nodes differ.',
  admin: 'Maintenance, archives and figures about the tables.',
  'dead letters': 'Commands that the service accepted and could not apply.',
  console: 'The pages of the console, and what they ask.',
  status: 'Whether the service works.',
  metrics: 'Metrics for Prometheus and for clients of Jolokia.',
  about: 'What the service is, and this description of its interface.',
} as const;
export type Tag = keyof typeof tags;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** Parameters of a path are always required. */
  readonly required?: boolean;
}

/** By media type. */
type Content = Readonly<Record<string, Schema>>;

export interface Body {
  readonly description: string;
  readonly required?: boolean;
  readonly content: Content;
}

export interface Answer {
  readonly description: string;
  /** Descriptions of headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the answer has no body. */
  readonly content?: Content;
}

/** A request that can be sent as it is. The tests send it to a service and check the answer. */
export interface Example {
  readonly summary: string;
  /** By the names of the parameters. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

export interface Operation {
  /** Path for the document, if the route has a wildcard (`*`) or several paths. */
  readonly path?: string;
  /** The method for clients, if the route has all methods. */
  readonly method?: Method;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** By status. Statuses of every operation (401, 403, 500, …) are added. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Statuses of refusals in the usual form. */
  readonly refusals?: readonly Refusal[];
  /** By name, in the order in which the tests send them. */
  readonly examples?: Readonly<Record<string, Example>>;
}

/** See `refusals.ts`. */
export type Refusal = 400 | 404 | 405 | 406 | 409 | 413 | 415 | 503 | 504;

/** Settings that affect the descriptions. */
export interface ApiContext {
  /** The version of nodeledger. */
  readonly version: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** Whether queries may use only PuppetDB's language. */
  readonly strict: boolean;
  readonly limits: Limits;
  readonly examples: ExampleValues;
}

/** Values that examples of several routes share, so that a query finds what an earlier command has stored. */
export interface ExampleValues {
  readonly certname: string;
  /** ISO 8601. The examples are about a run at this time. */
  readonly time: string;
  /** The hash of the report that the examples submit. */
  readonly report: string;
}

/** The operations of a route, and the schemas that they name. */
export interface Description {
  readonly operations: readonly Operation[];
  readonly schemas?: Readonly<Record<string, Schema>>;
}
export type Describe = (context: ApiContext) => Description;

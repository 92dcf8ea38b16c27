/** What a route says of itself, from which the OpenAPI document is made. */
import type { Limits } from '#limits';
import type { Schema } from './schema';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The sections of the document, in their order, with what they say. */
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
  admin: 'Maintenance, archives and figures about the tables.',
  'dead letters': 'Commands that the service accepted and could not apply.',
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
  /** By name: what the header says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the answer has no body. */
  readonly content?: Content;
}

/** One request that can be sent as it is. The tests send it to a service and check the answer. */
export interface Example {
  readonly summary: string;
  /** By the names of the parameters. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

export interface Operation {
  /** Where the route has others below it (`*`), or stands for several; otherwise the path of the route. */
  readonly path?: string;
  /** Where the route answers to all methods: the one that clients should use. */
  readonly method?: Method;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** By status. What every operation can answer (401, 403, 500, …) is added. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The refusals that are answered in the usual form, by status. */
  readonly refusals?: readonly Refusal[];
  /** By name, in the order in which the tests send them. */
  readonly examples?: Readonly<Record<string, Example>>;
}

/** See `refusals.ts`. */
export type Refusal = 400 | 404 | 405 | 406 | 409 | 413 | 415 | 503 | 504;

/** What the descriptions of a process depend on. */
export interface ApiContext {
  /** The version of the program. */
  readonly version: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** Whether queries may use PuppetDB's language only. */
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

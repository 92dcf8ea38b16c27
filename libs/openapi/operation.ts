import type { Limits } from '#limits';
import type { Schema } from './schema';

export type Method = 'get' | 'post' | 'put' | 'delete';

export const tags = {
  commands: 'Submit facts, catalogs, reports and other commands about nodes.',
  queries: 'Query the stored data. A query is JSON (AST) or PQL.',
  nodes: 'Nodes, and the data of one node.',
  facts: 'Facts, factsets, paths and values of facts, and the inventory.',
  catalogs: 'Catalogs with their resources, edges and inputs.',
  reports: 'Reports with their events, logs and metrics.',
  environments: 'Environments, and the data of one environment.',
  producers: 'The servers that sent data, and the data of one server.',
  packages: 'Packages that are installed on nodes.',
  changes: 'Changes of nodes, and differences between nodes.',
  admin: 'Maintenance, archives and figures about the tables.',
  subscriptions: 'Subscriptions, which send changes to receivers (webhooks).',
  'dead letters': 'Commands that the service accepted, but could not apply.',
  console: 'The pages of the console, and the requests that these pages send.',
  status: 'The state of the service.',
  metrics: 'Metrics for Prometheus and for clients of Jolokia.',
  about: 'Information about the service, and this document.',
} as const;
export type Tag = keyof typeof tags;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** Parameters in a path are always required. */
  readonly required?: boolean;
}

type Content = Readonly<Record<string, Schema>>;

export interface Body {
  readonly description: string;
  readonly required?: boolean;
  readonly content: Content;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: Content;
}

/** `test/e2e/openapi.spec.ts` sends each example to a service, and checks the answer. */
export interface Example {
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

export interface Operation {
  /** Needed if the route has a wildcard (`*`) or several paths. */
  readonly path?: string;
  /** Needed if the route accepts every method. */
  readonly method?: Method;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** Statuses that every operation can have (such as 401, 403 and 500) are added automatically. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly refusals?: readonly Refusal[];
  /** Map from the name of an example to the example. The examples are sent in this order. */
  readonly examples?: Readonly<Record<string, Example>>;
}

export type Refusal = 400 | 404 | 405 | 406 | 409 | 413 | 415 | 503 | 504;

export interface ApiContext {
  readonly version: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** True if queries may use only the language of PuppetDB. */
  readonly strict: boolean;
  readonly limits: Limits;
  readonly examples: ExampleValues;
}

/** Several routes share these values, so that an example query finds the data of an example command. */
export interface ExampleValues {
  readonly certname: string;
  /** ISO 8601. */
  readonly time: string;
  readonly report: string;
}

export interface Description {
  readonly operations: readonly Operation[];
  readonly schemas?: Readonly<Record<string, Schema>>;
}
export type Describe = (context: ApiContext) => Description;

/** One bound on what a client may send. */
export interface LimitEntry {
  /** The setting that changes it: an environment variable, also a key of the settings file. */
  readonly key: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  /** `bytes` also takes a unit, as in 20MB. */
  readonly unit: 'bytes' | 'characters' | 'items';
  /**
   * Where it counts. `request`: before anything is read, answered 413, 431 or 503. `query`: answered 400. `payload`: the
   * command is accepted and becomes a dead letter.
   */
  readonly bounds: 'request' | 'query' | 'payload';
  /** What is counted, as the subject of a sentence: "the nodes of a query's syntax tree". */
  readonly counts: string;
}

/**
 * Every bound on what a client sends, with its default. Each is checked before the work that it bounds. The defaults are
 * several times what the largest known installations send; docs/limits.md says how they were chosen.
 */
export const limitTable = {
  commandBytes: {
    key: 'NODELEDGER_MAX_COMMAND_SIZE',
    value: 20_000_000,
    from: 1_000,
    to: 256_000_000,
    unit: 'bytes',
    bounds: 'request',
    counts: "bytes of a command's payload, inflated",
  },
  queryBodyBytes: {
    key: 'NODELEDGER_MAX_QUERY_BODY',
    value: 20_000_000,
    from: 1_000,
    to: 256_000_000,
    unit: 'bytes',
    bounds: 'request',
    counts: 'bytes of the body of a POSTed query, inflated',
  },
  heldBodyBytes: {
    key: 'NODELEDGER_MAX_BODIES_IN_MEMORY',
    value: 256_000_000,
    from: 1_000_000,
    to: 64_000_000_000,
    unit: 'bytes',
    bounds: 'request',
    counts:
      'bytes of request bodies held in memory at once, over all connections; room for four of the largest bodies at least',
  },
  connections: {
    key: 'NODELEDGER_MAX_CONNECTIONS',
    value: 4_000,
    from: 10,
    to: 1_000_000,
    unit: 'items',
    bounds: 'request',
    counts: 'connections that are open at once; one client address may have half of them',
  },
  handshakes: {
    key: 'NODELEDGER_MAX_HANDSHAKES',
    value: 20,
    from: 1,
    to: 100_000,
    unit: 'items',
    bounds: 'request',
    counts: 'TLS handshakes that one client address begins in a second; further ones wait up to 10 seconds',
  },
  headerBytes: {
    key: 'NODELEDGER_MAX_REQUEST_HEADER',
    value: 262_144,
    from: 8_192,
    to: 16_777_216,
    unit: 'bytes',
    bounds: 'request',
    counts: "bytes of a request's URL and headers together",
  },
  metricsBodyBytes: {
    key: 'NODELEDGER_MAX_METRICS_BODY',
    value: 1_000_000,
    from: 1_000,
    to: 256_000_000,
    unit: 'bytes',
    bounds: 'request',
    counts: 'bytes of the body of a request for metrics',
  },
  metricBeans: {
    key: 'NODELEDGER_MAX_METRIC_BEANS',
    value: 5_000,
    from: 100,
    to: 1_000_000,
    unit: 'items',
    bounds: 'request',
    counts: 'MBeans and requests that one request for metrics names or matches',
  },
  queryText: {
    key: 'NODELEDGER_MAX_QUERY_LENGTH',
    value: 4_000_000,
    from: 100,
    to: 256_000_000,
    unit: 'characters',
    bounds: 'query',
    counts: "characters of a query's text",
  },
  queryNodes: {
    key: 'NODELEDGER_MAX_QUERY_NODES',
    value: 200_000,
    from: 10,
    to: 10_000_000,
    unit: 'items',
    bounds: 'query',
    counts: 'lists, names and values in a query',
  },
  queryDepth: {
    key: 'NODELEDGER_MAX_QUERY_DEPTH',
    value: 500,
    from: 5,
    to: 1_000,
    unit: 'items',
    bounds: 'query',
    counts: 'levels of nesting in a query',
  },
  queryConditions: {
    key: 'NODELEDGER_MAX_QUERY_CONDITIONS',
    value: 5_000,
    from: 10,
    to: 60_000,
    unit: 'items',
    bounds: 'query',
    counts: 'comparisons in a query, alternatives of one field together as one',
  },
  querySubqueries: {
    key: 'NODELEDGER_MAX_SUBQUERIES',
    value: 1_000,
    from: 10,
    to: 10_000,
    unit: 'items',
    bounds: 'query',
    counts: 'sub-queries that the parts of a query need',
  },
  queryNesting: {
    key: 'NODELEDGER_MAX_SUBQUERY_DEPTH',
    value: 50,
    from: 5,
    to: 200,
    unit: 'items',
    bounds: 'query',
    counts: 'sub-queries inside one another',
  },
  queryName: {
    key: 'NODELEDGER_MAX_NAME_LENGTH',
    value: 4_096,
    from: 100,
    to: 65_536,
    unit: 'characters',
    bounds: 'query',
    counts: 'characters of a field name or dotted path',
  },
  queryPathSteps: {
    key: 'NODELEDGER_MAX_PATH_STEPS',
    value: 100,
    from: 5,
    to: 1_000,
    unit: 'items',
    bounds: 'query',
    counts: 'steps of a path',
  },
  queryRows: {
    key: 'NODELEDGER_MAX_IN_ROWS',
    value: 50_000,
    from: 10,
    to: 1_000_000,
    unit: 'items',
    bounds: 'query',
    counts: 'rows of an `in` list',
  },
  queryColumns: {
    key: 'NODELEDGER_MAX_COLUMNS',
    value: 500,
    from: 10,
    to: 1_600,
    unit: 'items',
    bounds: 'query',
    counts: 'columns that a query selects, groups by or compares together',
  },
  queryRegex: {
    key: 'NODELEDGER_MAX_REGEX_LENGTH',
    value: 10_000,
    from: 100,
    to: 1_000_000,
    unit: 'characters',
    bounds: 'query',
    counts: 'characters of a regular expression',
  },
  documentValues: {
    key: 'NODELEDGER_MAX_DOCUMENT_VALUES',
    value: 2_000_000,
    from: 1_000,
    to: 100_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'lists, maps and values in a payload',
  },
  documentDepth: {
    key: 'NODELEDGER_MAX_DOCUMENT_DEPTH',
    value: 1_000,
    from: 20,
    to: 1_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'levels of nesting in a payload',
  },
  factLeaves: {
    key: 'NODELEDGER_MAX_FACT_LEAVES',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'values in the facts of a node, each element of a structured fact by itself',
  },
  factPathElements: {
    key: 'NODELEDGER_MAX_FACT_PATH_ELEMENTS',
    value: 1_000_000,
    from: 1_000,
    to: 100_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'path elements of those values, added up',
  },
  factPathCharacters: {
    key: 'NODELEDGER_MAX_FACT_PATH_CHARACTERS',
    value: 10_000_000,
    from: 10_000,
    to: 1_000_000_000,
    unit: 'characters',
    bounds: 'payload',
    counts: 'characters of those path elements, added up',
  },
  packages: {
    key: 'NODELEDGER_MAX_PACKAGES',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'packages of a package inventory',
  },
  resources: {
    key: 'NODELEDGER_MAX_RESOURCES',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'resources of a catalog or report',
  },
  edges: {
    key: 'NODELEDGER_MAX_EDGES',
    value: 200_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'edges of a catalog',
  },
  events: {
    key: 'NODELEDGER_MAX_EVENTS',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'events of a report',
  },
  eventCharacters: {
    key: 'NODELEDGER_MAX_EVENT_CHARACTERS',
    value: 50_000_000,
    from: 10_000,
    to: 1_000_000_000,
    unit: 'characters',
    bounds: 'payload',
    counts: "characters of the resources' types, titles, files and containment paths in a report, once for each event",
  },
  logs: {
    key: 'NODELEDGER_MAX_LOGS',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'log lines of a report',
  },
  metrics: {
    key: 'NODELEDGER_MAX_METRICS',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'metrics of a report',
  },
  inputs: {
    key: 'NODELEDGER_MAX_CATALOG_INPUTS',
    value: 100_000,
    from: 100,
    to: 10_000_000,
    unit: 'items',
    bounds: 'payload',
    counts: 'inputs of a catalog',
  },
} as const satisfies Readonly<Record<string, LimitEntry>>;

export type LimitName = keyof typeof limitTable;
export const limitNames = Object.keys(limitTable) as LimitName[];

/** The current value of each limit. */
export type Limits = Readonly<Record<LimitName, number>>;

export const defaultLimits: Limits = Object.fromEntries(
  limitNames.map((name) => [name, limitTable[name].value]),
) as Record<LimitName, number>;

/** A limit on data from clients. The service checks it before it does the work that the limit bounds. */
export interface LimitEntry {
  readonly value: number;
  /**
   * What the limit bounds. `request`: a larger request is answered 413, 431 or 503 before it is read. `query`: a larger
   * query is answered 400. `payload`: a command with a larger payload is accepted, and becomes a dead letter. `answer`:
   * a request whose answer needs more data from the tables is answered 400.
   */
  readonly bounds: 'request' | 'query' | 'payload' | 'answer';
  /** The counted quantity in the words of messages, such as "the nodes of a query's syntax tree". */
  readonly counts: string;
  /** `key` is the name of the environment variable and of the setting in the settings file. */
  readonly setting?: { readonly key: string; readonly from: number; readonly to: number; readonly isBytes?: boolean };
  /** If present, the default is the value of another limit times `factor`. */
  readonly follows?: { readonly limit: string; readonly factor: number };
  /** For a limit that no setting can change: why no installation needs another value. */
  readonly reason?: string;
}

/** The defaults are several times as high as usual installations need (docs/limits.md). */
export const limitTable = {
  commandBytes: {
    value: 20_000_000,
    bounds: 'request',
    counts: "bytes of a command's payload, uncompressed",
    setting: { key: 'NODELEDGER_MAX_COMMAND_SIZE', from: 1_000, to: 256_000_000, isBytes: true },
  },
  queryBodyBytes: {
    value: 4_000_000,
    bounds: 'request',
    counts: 'bytes of the body of a query sent by POST, uncompressed',
    setting: { key: 'NODELEDGER_MAX_QUERY_BODY', from: 1_000, to: 256_000_000, isBytes: true },
  },
  heldBodyBytes: {
    value: 256_000_000,
    bounds: 'request',
    counts: 'bytes of the bodies of all running requests in memory; at least four times the largest permitted body',
    setting: { key: 'NODELEDGER_MAX_BODIES_IN_MEMORY', from: 1_000_000, to: 64_000_000_000, isBytes: true },
  },
  connections: {
    value: 4_000,
    bounds: 'request',
    counts: 'connections that are open at once; one client address can have at most half of the connections',
    setting: { key: 'NODELEDGER_MAX_CONNECTIONS', from: 10, to: 1_000_000 },
  },
  streams: {
    value: 500,
    bounds: 'request',
    counts: 'streams of changes that are open at once; one client address can have at most half of them',
    setting: { key: 'NODELEDGER_MAX_STREAMS', from: 1, to: 100_000 },
  },
  streamBytes: {
    value: 1_000_000,
    bounds: 'request',
    counts: 'bytes of changes that wait for the client of a stream',
    reason: 'about 1,000 changes; the client can continue at its last id',
  },
  handshakes: {
    value: 20,
    bounds: 'request',
    counts:
      'TLS handshakes per second that clients with the same address can begin; further handshakes wait for up to 10 seconds',
    setting: { key: 'NODELEDGER_MAX_HANDSHAKES', from: 1, to: 100_000 },
  },
  headerBytes: {
    value: 262_144,
    bounds: 'request',
    counts: "bytes of a request's URL and headers together",
    reason: 'clients can send longer queries by POST',
  },
  consoleUrl: {
    value: 8_192,
    bounds: 'request',
    counts: 'characters of the URL of a request of the console, or of a question about changes',
    reason:
      'ten filters and twenty columns need about 2,000; the service compiles a query of 8,192 characters in less than 50 ms',
  },
  consoleBodyBytes: {
    value: 100_000,
    bounds: 'request',
    counts: 'bytes of the body of a request of the console',
    reason: 'a query that a person writes has a few kB',
  },
  metricsBodyBytes: {
    value: 300_000,
    bounds: 'request',
    counts: 'bytes of the body of a request for metrics',
    reason: 'a body with requests for 2,000 MBeans has about 250 kB',
  },
  metricBeans: {
    value: 2_000,
    bounds: 'request',
    counts: 'MBeans that one request for metrics can read, and requests in one body',
    reason: 'a service has several hundred MBeans',
  },
  archiveEntries: {
    value: 100_000_000,
    bounds: 'request',
    counts: 'entries of an archive',
    reason: '100,000 nodes have 70 million documents in two weeks',
  },
  archiveOthers: {
    value: 10_000,
    bounds: 'request',
    counts: 'entries of an archive without a document, such as folders',
    reason: 'an archive of PuppetDB has about a dozen',
  },
  archiveName: {
    value: 4_096,
    bounds: 'request',
    counts: 'characters of the name of an entry of an archive',
    reason: 'the tables cannot contain longer certnames',
  },
  archiveHeaderBytes: {
    value: 1_048_576,
    bounds: 'request',
    counts: 'bytes between two entries of an archive: headers and padding',
    reason: 'a header takes 512 bytes, and the extended header of a long name a few kB',
  },
  archiveRatio: {
    value: 200,
    bounds: 'request',
    counts: 'average bytes of an unpacked archive for each compressed byte',
    reason: 'only long runs of equal bytes compress more',
  },
  imports: {
    value: 2,
    bounds: 'request',
    counts: 'archives that are imported at the same time',
    reason: 'further imports would only wait for the projector',
  },
  queryText: {
    value: 2_000_000,
    bounds: 'query',
    counts: "characters of a query's text",
    follows: { limit: 'queryBodyBytes', factor: 0.5 },
  },
  queryNodes: {
    value: 60_000,
    bounds: 'query',
    counts: 'lists, names and values in a query',
    setting: { key: 'NODELEDGER_MAX_QUERY_NODES', from: 10, to: 10_000_000 },
  },
  queryDepth: {
    value: 500,
    bounds: 'query',
    counts: 'levels of nesting in a query',
    reason: 'people and programs nest `and`, `or` and `not` only a few levels deep',
  },
  queryConditions: {
    value: 5_000,
    bounds: 'query',
    counts: 'comparisons in a query (all alternatives of one field are one comparison)',
    reason: 'PostgreSQL needs about 2 seconds to plan such a query',
  },
  querySubqueries: {
    value: 1_000,
    bounds: 'query',
    counts: 'sub-queries that the parts of a query need',
    reason: 'PostgreSQL needs about 2 seconds to plan such a query',
  },
  queryNesting: {
    value: 50,
    bounds: 'query',
    counts: 'levels of nested sub-queries',
    reason: 'real queries have two or three levels',
  },
  queryName: {
    value: 4_096,
    bounds: 'query',
    counts: 'characters of a field name or dotted path',
    reason: 'more than 100 steps of 40 characters',
  },
  queryPathSteps: {
    value: 100,
    bounds: 'query',
    counts: 'steps of a path',
    reason: 'structured facts have about ten levels',
  },
  queryColumns: {
    value: 500,
    bounds: 'query',
    counts: 'columns in the selection, the groups or one comparison of a query',
    reason: 'no entity has more than 40 fields',
  },
  queryRegex: {
    value: 10_000,
    bounds: 'query',
    counts: 'characters of a regular expression',
    reason: 'regular expressions for names or values have at most a few hundred characters',
  },
  changeCharacters: {
    value: 4_000_000,
    bounds: 'answer',
    counts: 'characters of the differences in one part of a comparison',
    reason:
      'two different machines differ in less than 1,000,000 characters; larger answers would delay other requests',
  },
  documentValues: {
    value: 500_000,
    bounds: 'payload',
    counts: 'lists, maps and values in a payload',
    follows: { limit: 'commandBytes', factor: 0.025 },
  },
  documentDepth: {
    value: 1_000,
    bounds: 'payload',
    counts: 'levels of nesting in a payload',
    reason: "PuppetDB's JSON reader stops at the same depth",
  },
  factLeaves: {
    value: 25_000,
    bounds: 'payload',
    counts: 'values in the facts of a node (each element of a structured fact is one value)',
    setting: { key: 'NODELEDGER_MAX_FACT_LEAVES', from: 100, to: 10_000_000 },
  },
  factPathElements: {
    value: 1_000_000,
    bounds: 'payload',
    counts: 'path elements of the values in the facts of a node, in total',
    follows: { limit: 'factLeaves', factor: 40 },
  },
  factPathCharacters: {
    value: 10_000_000,
    bounds: 'payload',
    counts: 'characters of the path elements in the facts of a node, in total',
    follows: { limit: 'factLeaves', factor: 400 },
  },
  packages: {
    value: 25_000,
    bounds: 'payload',
    counts: 'packages of a package inventory',
    setting: { key: 'NODELEDGER_MAX_PACKAGES', from: 100, to: 10_000_000 },
  },
  resources: {
    value: 20_000,
    bounds: 'payload',
    counts: 'resources of a catalog or report',
    setting: { key: 'NODELEDGER_MAX_RESOURCES', from: 100, to: 10_000_000 },
  },
  edges: {
    value: 40_000,
    bounds: 'payload',
    counts: 'edges of a catalog',
    setting: { key: 'NODELEDGER_MAX_EDGES', from: 100, to: 10_000_000 },
  },
  events: {
    value: 25_000,
    bounds: 'payload',
    counts: 'events of a report',
    setting: { key: 'NODELEDGER_MAX_EVENTS', from: 100, to: 10_000_000 },
  },
  eventCharacters: {
    value: 12_500_000,
    bounds: 'payload',
    counts:
      'characters of types, titles, files and containment paths in a report (a resource counts once for each of its events)',
    follows: { limit: 'events', factor: 500 },
  },
  logs: {
    value: 50_000,
    bounds: 'payload',
    counts: 'log lines of a report',
    setting: { key: 'NODELEDGER_MAX_LOGS', from: 100, to: 10_000_000 },
  },
  metrics: {
    value: 100_000,
    bounds: 'payload',
    counts: 'metrics of a report',
    reason: 'the report of an agent has about 50',
  },
  inputs: {
    value: 100_000,
    bounds: 'payload',
    counts: 'inputs of a catalog',
    reason: 'a catalog usually has a few hundred',
  },
} as const satisfies Readonly<Record<string, LimitEntry>>;

export type LimitName = keyof typeof limitTable;
export const limitNames = Object.keys(limitTable) as LimitName[];

export type Limits = Readonly<Record<LimitName, number>>;

export const limitEntry = (name: LimitName): LimitEntry => limitTable[name];

export const settingOfLimit = (name: LimitName): LimitEntry['setting'] => {
  const { setting, follows } = limitEntry(name);
  return follows === undefined ? setting : limitEntry(follows.limit as LimitName).setting;
};

/** Returns all limits. A limit that is not in `given` has its default from the table, or follows from another limit. */
export function limitsWith(given: Partial<Limits>): Limits {
  const valueOf = (name: LimitName): number => {
    const { value, follows } = limitEntry(name);
    return given[name] ?? (follows === undefined ? value : valueOf(follows.limit as LimitName) * follows.factor);
  };
  return Object.fromEntries(limitNames.map((name) => [name, valueOf(name)])) as Record<LimitName, number>;
}

export const defaultLimits = limitsWith({});

export const highestLimits = limitsWith(
  Object.fromEntries(
    limitNames.flatMap((name) => {
      const { setting } = limitEntry(name);
      return setting === undefined ? [] : [[name, setting.to]];
    }),
  ),
);

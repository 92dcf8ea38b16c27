/**
 * Documents as the readers of the wire formats return them: checked and normalised. Times are ISO 8601 UTC texts with
 * exactly three digits of a second (`2024-03-04T06:10:00.000Z`; further digits are cut off). JSON values are JSON text,
 * never parsed numbers: PostgreSQL's jsonb accepts a `JsonText` as it is, with numbers in the spelling of PuppetDB and
 * U+0000 replaced.
 */
export type JsonText = string;
export type IsoTime = string;

/** An element of a fact path: the key of a map or the index of an array. */
export type PathElement = string | number;
export type LeafType = 'string' | 'integer' | 'float' | 'boolean' | 'null';

export interface FactLeaf {
  readonly path: readonly PathElement[];
  readonly type: LeafType;
  readonly value: JsonText;
  /** See WireFact.spelled. */
  readonly spelled?: JsonText | undefined;
}

export interface WireFact {
  readonly name: string;
  /** Eight bytes, as latin1 text, that identify name and value. Facts with equal digests are equal. */
  readonly digest: string;
  /** Returns the value for jsonb. Not computed before it is needed, because most facts are unchanged. */
  value(): JsonText;
  /**
   * Returns the value as answers of `/facts` show it, if that differs from the text of jsonb (a small float as
   * `1.5E-9`), or undefined.
   */
  spelled(): JsonText | undefined;
  /** Yields the leaves of the fact in document order. Empty maps and arrays have none. */
  leaves(): Iterable<FactLeaf>;
}

export interface WireFactset {
  readonly kind: 'facts';
  readonly certname: string;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly producerTimestamp: IsoTime;
  /** SHA-1 hex of the canonical content (certname, environment, values, packages). */
  readonly hash: string;
  readonly facts: readonly WireFact[];
  /** Returns all facts as a canonical JSON object. */
  values(): JsonText;
  /** Total size of the leaves of all facts. */
  readonly size: { readonly leaves: number; readonly pathElements: number; readonly pathCharacters: number };
  /**
   * Distinct `[name, version, provider]`, sorted; undefined if the document has no inventory. Computed at first use.
   */
  readonly packages: readonly (readonly [string, string, string])[] | undefined;
  readonly packageCount: number;
  /** SHA-1 of the packages' JSON text; undefined without packages. */
  readonly packageDigest: Buffer | undefined;
}

/** Identifies a section of a document by length and SHA-256. Sections with equal values have equal bytes. */
export interface SectionDigest {
  readonly length: number;
  readonly sha256: Buffer;
}

/** A document without its large sections. */
export interface DocumentParts {
  readonly rest: Buffer;
  /** In order. `at`: where in `rest` the section belongs; `weight`: see DocumentSection. */
  readonly sections: readonly (SectionDigest & { readonly at: number; readonly weight: number })[];
}

export interface CatalogSections {
  readonly resources: SectionDigest;
  readonly edges: SectionDigest;
}

export interface WireResource {
  readonly type: string;
  readonly title: string;
  readonly exported: boolean;
  readonly file: string | null;
  readonly line: number | null;
  /** As sent, without duplicates. */
  readonly tags: readonly string[];
  readonly parameters: JsonText;
  /** SHA-1 of `[type, title, parameters]` in hexadecimal digits; `resource` in answers. */
  readonly hash: string;
  /** UUID made from the whole content (hash, exported, file, line, tags). Equal resources are stored once. */
  readonly content: string;
}

export interface WireEdge {
  readonly sourceType: string;
  readonly sourceTitle: string;
  readonly targetType: string;
  readonly targetTitle: string;
  readonly relationship: string;
}

export interface WireCatalog {
  readonly kind: 'catalog';
  readonly certname: string;
  readonly version: string;
  readonly environment: string | null;
  readonly transactionUuid: string | null;
  readonly catalogUuid: string | null;
  readonly codeId: string | null;
  readonly jobId: string | null;
  readonly producer: string | null;
  readonly producerTimestamp: IsoTime;
  readonly sections: CatalogSections;
  /** Undefined if both sections are equal, byte for byte, to the known ones, which were checked before. */
  readonly content:
    | undefined
    | {
        /** SHA-1 of certname, resources and edges in hexadecimal digits. */
        readonly hash: string;
        readonly resources: readonly WireResource[];
        /** Without duplicates, sorted by source, target and relationship. */
        readonly edges: readonly WireEdge[];
      };
}

export interface WireEvent {
  readonly status: string | null;
  readonly timestamp: IsoTime;
  readonly resourceType: string;
  readonly resourceTitle: string;
  readonly property: string | null;
  readonly name: string | null;
  /** JSON text as answers show it (`"text"`, `1.0E21`). An absent value is the text `null`, also in a skipped event. */
  readonly newValue: JsonText;
  readonly oldValue: JsonText;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containmentPath: readonly string[] | null;
  readonly containingClass: string | null;
  readonly correctiveChange: boolean | null;
}

export interface WireReport {
  readonly kind: 'report';
  readonly certname: string;
  /** SHA-1 in hexadecimal digits. */
  readonly hash: string;
  readonly environment: string;
  readonly status: string | null;
  readonly noop: boolean | null;
  readonly noopPending: boolean | null;
  readonly correctiveChange: boolean | null;
  readonly agentVersion: string;
  readonly reportFormat: number;
  readonly configurationVersion: string;
  readonly startTime: IsoTime;
  readonly endTime: IsoTime;
  readonly producerTimestamp: IsoTime;
  readonly producer: string | null;
  readonly transactionUuid: string | null;
  readonly catalogUuid: string | null;
  readonly codeId: string | null;
  readonly cachedCatalogStatus: string | null;
  readonly jobId: string | null;
  readonly type: 'agent' | 'plan';
  readonly logs: JsonText;
  readonly metrics: JsonText;
  /** All resource statuses, also those without events, as answers show them in `resources`. */
  readonly resources: JsonText;
  readonly events: readonly WireEvent[];
}

export interface WireDeactivation {
  readonly kind: 'deactivation';
  readonly certname: string;
  /** Null if the payload has no time. The time of receipt is used instead. */
  readonly producerTimestamp: IsoTime | null;
}

/** `configure expiration`: whether the age of its facts can make the node expire. */
export interface WireExpiration {
  readonly kind: 'expiration';
  readonly certname: string;
  /** Null if the payload has no time. The time of receipt is used instead. */
  readonly producerTimestamp: IsoTime | null;
  readonly expireFacts: boolean;
}

/** `replace catalog inputs`: the data from which a catalog was compiled. */
export interface WireCatalogInputs {
  readonly kind: 'inputs';
  readonly certname: string;
  /** Null if the payload has no time. The time of receipt is used instead. */
  readonly producerTimestamp: IsoTime | null;
  readonly catalogUuid: string;
  /** Distinct `[type, name]`, sorted. If it is empty, the command changes nothing. */
  readonly inputs: readonly (readonly [string, string])[];
}

/** `delete node`: deletes all rows of the node. */
export interface WireNodeDeletion {
  readonly kind: 'node deletion';
  readonly certname: string;
}

/**
 * `restore node`: whether a node is active, at the position of the last record that changed that. Snapshots of the log
 * and archives contain it instead of the records that deactivated, expired and reactivated the node. A time is null if
 * the node has none; `expiredCutoff` is null if the node is not expired.
 */
export interface WireNodeRestoration {
  readonly kind: 'node restoration';
  readonly certname: string;
  readonly deactivated: IsoTime | null;
  readonly expired: IsoTime | null;
  readonly expiredCutoff: IsoTime | null;
  readonly expireFacts: boolean;
  readonly expireFactsUpdated: IsoTime | null;
}

/** A subset of all nodes: those whose certname belongs to `partition` if there are `partitions` partitions. */
export interface PartitionOfNodes {
  readonly partition: number;
  readonly partitions: number;
}

/**
 * `apply age limits`: changes by a cleaning to all nodes of a partition, in the order of these members. A limit that is
 * null changes nothing.
 */
export interface WireAgeLimits {
  readonly kind: 'age limits';
  /** A text that belongs to the partition. It is not the name of a node. */
  readonly certname: string;
  /**
   * The limits apply to nodes in all of these subsets: the partition of the record, and one more for each copy of the
   * log to another number of partitions.
   */
  readonly nodes: readonly PartitionOfNodes[];
  /**
   * Expires at most `most` nodes that have sent nothing since `cutoff`. `expired` is the time of expiry, from the clock
   * of the process that cleaned.
   */
  readonly expiry: { readonly cutoff: IsoTime; readonly expired: IsoTime; readonly most: number } | null;
  /**
   * Deletes at most `most` nodes that were deactivated or expired before `cutoff`, starting with the node that has been
   * inactive longest.
   */
  readonly purge: { readonly cutoff: IsoTime; readonly most: number } | null;
  /** Deletes reports whose producer_timestamp is before this time. */
  readonly reportsBefore: IsoTime | null;
  /** Deletes the events of reports whose producer_timestamp is before this time. */
  readonly eventsBefore: IsoTime | null;
  /** Ends the past before this time: as received times in the log, of the partition of the record. */
  readonly historyBefore: IsoTime | null;
}

/**
 * `restore nodes`: replaces an `apply age limits` in a snapshot of the log. Contains the states of the nodes that it
 * changed last, as in `restore node`, and the events of kept reports that it deleted.
 */
export interface WireNodesRestoration {
  readonly kind: 'nodes restoration';
  /** A text that belongs to the partition. It is not the name of a node. */
  readonly certname: string;
  readonly nodes: readonly Omit<WireNodeRestoration, 'kind'>[];
  readonly events: { readonly before: IsoTime; readonly of: readonly PartitionOfNodes[] } | null;
}

/** Documents that the projector applies with statements over stored rows (`isMaintenanceCommand`). */
export type WireMaintenance = WireNodeDeletion | WireAgeLimits | WireNodesRestoration;

export type WireDocument =
  | WireFactset
  | WireCatalog
  | WireReport
  | WireDeactivation
  | WireExpiration
  | WireCatalogInputs
  | WireNodeRestoration
  | WireMaintenance;

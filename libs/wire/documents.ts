/** JSON text that jsonb accepts unchanged: numbers are text in PuppetDB's spelling, and U+0000 is replaced. */
export type JsonText = string;
export type IsoTime = string;

export type PathElement = string | number;
export type LeafType = 'string' | 'integer' | 'float' | 'boolean' | 'null';

export interface FactLeaf {
  readonly path: readonly PathElement[];
  readonly type: LeafType;
  readonly value: JsonText;
  /** JSON text of the value as answers show it. Absent if jsonb prints the value in this way too. */
  readonly spelled?: JsonText | undefined;
}

export interface WireFact {
  readonly name: string;
  /** Eight bytes of the hash of name and value, as latin1 text. Facts with equal digests count as equal. */
  readonly digest: string;
  /** Computes the value at each call, because most facts are unchanged and need no value. */
  value(): JsonText;
  /**
   * Returns the JSON text of the value as answers from `/facts` show it, such as `1.5E-9` for a small float. Returns
   * undefined if jsonb prints the value in this way too.
   */
  spelled(): JsonText | undefined;
  leaves(): Iterable<FactLeaf>;
}

export interface WireFactset {
  readonly kind: 'facts';
  readonly certname: string;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly producerTimestamp: IsoTime;
  /** SHA-1 of certname, environment, values and packages in canonical form, in hexadecimal digits. */
  readonly hash: string;
  readonly facts: readonly WireFact[];
  values(): JsonText;
  readonly size: { readonly leaves: number; readonly pathElements: number; readonly pathCharacters: number };
  /**
   * Sorted list of distinct `[name, version, provider]`. Undefined if the document has no inventory, or if the reader
   * skipped the inventory because it equals the previous inventory.
   */
  readonly packages: readonly (readonly [string, string, string])[] | undefined;
  readonly packageCount: number;
  /** SHA-1 of the packages' JSON text. Undefined if the document has no packages. */
  readonly packageDigest: Buffer | undefined;
}

export interface SectionDigest {
  readonly length: number;
  readonly sha256: Buffer;
}

export interface DocumentPart extends SectionDigest {
  /** Offset in `rest` at which the section was removed from the document. */
  readonly at: number;
  readonly weight: number;
  /** Undefined if the reader skipped the section, because it probably equals the section that the node has. */
  readonly bytes?: Buffer | undefined;
}

export interface DocumentParts {
  readonly rest: Buffer;
  readonly sections: readonly DocumentPart[];
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
  /** In the order of the document, without duplicates. */
  readonly tags: readonly string[];
  readonly parameters: JsonText;
  /** SHA-1 of `[type, title, parameters]` in hexadecimal digits. Answers show the hash as `resource`. */
  readonly hash: string;
  /** UUID made from hash, exported, file, line and tags. Resources with equal UUIDs are stored once. */
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
  /** Undefined if both sections equal the known sections, which were checked before. */
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
  /** JSON text in the spelling of answers (`"text"`, `1.0E21`). `null` if the event has no new value. */
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
  /** All resource statuses, spelled as in answers. Resources without events are included. */
  readonly resources: JsonText;
  readonly events: readonly WireEvent[];
}

export interface WireDeactivation {
  readonly kind: 'deactivation';
  readonly certname: string;
  readonly producerTimestamp: IsoTime | null;
}

export interface WireExpiration {
  readonly kind: 'expiration';
  readonly certname: string;
  readonly producerTimestamp: IsoTime | null;
  readonly expireFacts: boolean;
}

/** Document of `replace catalog inputs`: the data from which a catalog was compiled. */
export interface WireCatalogInputs {
  readonly kind: 'inputs';
  readonly certname: string;
  readonly producerTimestamp: IsoTime | null;
  readonly catalogUuid: string;
  /** Sorted list of distinct `[type, name]`. An empty list changes nothing. */
  readonly inputs: readonly (readonly [string, string])[];
}

export interface WireNodeDeletion {
  readonly kind: 'node deletion';
  readonly certname: string;
}

/**
 * Document of `restore node`: the state of a node after the last record that changed whether the node is active.
 * Snapshots of the log and archives contain this document instead of the records that deactivated, expired and
 * reactivated the node.
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

export interface PartitionOfNodes {
  readonly partition: number;
  readonly partitions: number;
}

/**
 * Document of `apply age limits`: changes to all nodes of a partition. The projector applies these changes in the order
 * of the members below. A limit that is null changes nothing.
 */
export interface WireAgeLimits {
  readonly kind: 'age limits';
  /** A text that the log assigns to the partition. The text is not the name of a node. */
  readonly certname: string;
  /**
   * The limits apply to the nodes that are in all of these subsets. The first subset is the partition of the record.
   * When the log is copied into a log with another number of partitions, the copy adds one subset.
   */
  readonly nodes: readonly PartitionOfNodes[];
  /**
   * Expires at most `most` nodes that have sent nothing since `cutoff`. `expired` comes from the clock of the cleaning
   * process.
   */
  readonly expiry: { readonly cutoff: IsoTime; readonly expired: IsoTime; readonly most: number } | null;
  /**
   * Deletes at most `most` nodes that were deactivated or expired before `cutoff`. Begins with the node that has been
   * inactive longest.
   */
  readonly purge: { readonly cutoff: IsoTime; readonly most: number } | null;
  readonly reportsBefore: IsoTime | null;
  /** Deletes the events of reports whose producer_timestamp is before this time. */
  readonly eventsBefore: IsoTime | null;
  /**
   * Deletes the row versions that ended before this time. A version ends when the log receives the record that
   * changes or deletes the row.
   */
  readonly historyBefore: IsoTime | null;
}

/**
 * Document of `restore nodes`, which replaces a record `apply age limits` in a snapshot of the log. Contains the states
 * of the nodes that no later record has changed. `events` selects the events that `apply age limits` deleted from
 * reports that still exist.
 */
export interface WireNodesRestoration {
  readonly kind: 'nodes restoration';
  /** A text that the log assigns to the partition. The text is not the name of a node. */
  readonly certname: string;
  readonly nodes: readonly Omit<WireNodeRestoration, 'kind'>[];
  readonly events: { readonly before: IsoTime; readonly of: readonly PartitionOfNodes[] } | null;
}

/** Documents that the projector applies by statements over stored rows (`isMaintenanceCommand`). */
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

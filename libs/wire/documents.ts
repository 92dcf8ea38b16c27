/**
 * What the readers of the wire formats give: checked, normalised documents. Times are ISO 8601 UTC text with exactly
 * three digits (`2024-03-04T06:10:00.000Z`, further digits cut off). JSON values are JSON text, never parsed numbers:
 * `JsonText` is ready for PostgreSQL's jsonb (numbers spelled by the rules of the reference, U+0000 replaced).
 */
export type JsonText = string;
export type IsoTime = string;

/** An element of a fact path: a map's key or an array's index. */
export type PathElement = string | number;
export type LeafType = 'string' | 'integer' | 'float' | 'boolean' | 'null';

export interface FactLeaf {
  readonly path: readonly PathElement[];
  readonly type: LeafType;
  readonly value: JsonText;
  /** As of WireFact.spelled. */
  readonly spelled?: JsonText | undefined;
}

export interface WireFact {
  readonly name: string;
  /** Eight bytes (as latin1 text) that identify name and value; equal digests mean an equal fact. */
  readonly digest: string;
  /** The value for jsonb. Made when asked for: most facts are unchanged and never are. */
  value(): JsonText;
  /**
   * The value as answers of `/facts` spell it, where that differs from what jsonb would print (a small float as
   * `1.5E-9`); otherwise undefined.
   */
  spelled(): JsonText | undefined;
  /** Every leaf below the fact, in document order, made one after the other; empty maps and arrays have none. */
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
  /** All facts as a canonical JSON object. Made when asked for. */
  values(): JsonText;
  /** How much the leaves of all facts are, together. */
  readonly size: { readonly leaves: number; readonly pathElements: number; readonly pathCharacters: number };
  /** Distinct `[name, version, provider]`, sorted; undefined where the document has none. Made when asked for. */
  readonly packages: readonly (readonly [string, string, string])[] | undefined;
  readonly packageCount: number;
  /** SHA-1 of the packages' JSON text; undefined where there are none. */
  readonly packageDigest: Buffer | undefined;
}

/** A byte range of a document that was seen before: same length and same SHA-256 mean the same text. */
export interface SectionDigest {
  readonly length: number;
  readonly sha256: Buffer;
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
  /** As sent, distinct. */
  readonly tags: readonly string[];
  readonly parameters: JsonText;
  /** SHA-1 hex of `[type, title, parameters]`: the `resource` of answers. */
  readonly hash: string;
  /** UUID text made from the whole content (hash, exported, file, line, tags): equal rows are stored once. */
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
  /** Undefined: both sections are byte for byte those the caller named as known, whose content was checked then. */
  readonly content:
    | undefined
    | {
        /** SHA-1 hex of certname, resources and edges. */
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
  /** JSON text as answers spell it (`"text"`, `1.0E21`); an absent value is the text `null`, also of a skipped event. */
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
  /** SHA-1 hex identity. */
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
  /** All resource statuses, also those without events, as the `resources` of a report answer shows them. */
  readonly resources: JsonText;
  readonly events: readonly WireEvent[];
}

export interface WireDeactivation {
  readonly kind: 'deactivation';
  readonly certname: string;
  /** Null where the payload has none: then the record's received time counts. */
  readonly producerTimestamp: IsoTime | null;
}

/** `configure expiration`: whether the age of its facts counts towards a node's expiry. */
export interface WireExpiration {
  readonly kind: 'expiration';
  readonly certname: string;
  /** Null: the record's received time counts. */
  readonly producerTimestamp: IsoTime | null;
  readonly expireFacts: boolean;
}

/** `replace catalog inputs`: what a catalog was made from. */
export interface WireCatalogInputs {
  readonly kind: 'inputs';
  readonly certname: string;
  /** Null: the record's received time counts. */
  readonly producerTimestamp: IsoTime | null;
  readonly catalogUuid: string;
  /** Distinct `[type, name]`, sorted. Empty: the command changes nothing. */
  readonly inputs: readonly (readonly [string, string])[];
}

/** `expire node`: silent since before `cutoff`, it is expired at `expired` (the clock of the maintenance that found it). */
export interface WireNodeExpiry {
  readonly kind: 'node expiry';
  readonly certname: string;
  readonly expired: IsoTime;
  readonly cutoff: IsoTime;
}

/** `purge node`: everything of it goes if it was deactivated or expired before `cutoff`. */
export interface WireNodePurge {
  readonly kind: 'node purge';
  readonly certname: string;
  readonly cutoff: IsoTime;
}

/** `delete node`: everything of it goes. */
export interface WireNodeDeletion {
  readonly kind: 'node deletion';
  readonly certname: string;
}

/** `purge reports`: the node's reports whose producer_timestamp lies before `cutoff` go. */
export interface WireReportPurge {
  readonly kind: 'report purge';
  readonly certname: string;
  readonly cutoff: IsoTime;
}

/**
 * `restore node`: all that is left of a node's life where a base of the log begins, in the place of the last record that
 * changed it. Times that it never had are null. `expiredCutoff` is also null in bases that were made before it was kept.
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

/** A part of all nodes: those whose certname falls into `partition` when there are so many `partitions`. */
export interface PartitionOfNodes {
  readonly partition: number;
  readonly partitions: number;
}

/**
 * `apply age limits`: what maintenance does to all nodes of a partition at once, in the order of these members. A limit that is
 * null does nothing.
 */
export interface WireAgeLimits {
  readonly kind: 'age limits';
  /** Of no node: a name that falls into the partition. */
  readonly certname: string;
  /** The nodes that are in all of these: one, and another for each copy of the log to another number of partitions. */
  readonly nodes: readonly PartitionOfNodes[];
  /** At most `most` nodes that were silent since before `cutoff` are expired at `expired` (the clock of the maintenance). */
  readonly expiry: { readonly cutoff: IsoTime; readonly expired: IsoTime; readonly most: number } | null;
  /** At most `most` nodes that were deactivated or expired before `cutoff` go, those that were it first. */
  readonly purge: { readonly cutoff: IsoTime; readonly most: number } | null;
  /** Reports whose producer_timestamp lies before this go. */
  readonly reportsBefore: IsoTime | null;
  /** The events of reports whose producer_timestamp lies before this go. */
  readonly eventsBefore: IsoTime | null;
}

/**
 * `restore nodes`: what is left of an `apply age limits` where a base of the log begins. As `restore node` for all nodes whose life it
 * changed last; and the events that it took, of reports that the base still has.
 */
export interface WireNodesRestoration {
  readonly kind: 'nodes restoration';
  /** Of no node: a name that falls into the partition. */
  readonly certname: string;
  readonly nodes: readonly Omit<WireNodeRestoration, 'kind'>[];
  readonly events: { readonly before: IsoTime; readonly of: readonly PartitionOfNodes[] } | null;
}

/** What is about all nodes of a partition. */
export type WireOfPartition = WireAgeLimits | WireNodesRestoration;

/** What maintenance does to one node. */
export type WireLifecycle = WireNodeExpiry | WireNodePurge | WireNodeDeletion | WireReportPurge;

export type WireDocument =
  | WireFactset
  | WireCatalog
  | WireReport
  | WireDeactivation
  | WireExpiration
  | WireCatalogInputs
  | WireNodeRestoration
  | WireLifecycle
  | WireOfPartition;

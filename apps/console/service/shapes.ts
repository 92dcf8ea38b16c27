/** Types of the service's answers, as the OpenAPI document describes them. */

export const statuses = ['failed', 'unreported', 'changed', 'noop', 'unchanged'] as const;
export type Status = (typeof statuses)[number];

export interface Me {
  readonly name: string | null;
  readonly by: 'token' | 'certificate' | 'nothing';
  readonly may: readonly string[];
}

export interface Summary {
  readonly at: string;
  readonly total: number;
  readonly nodes: Readonly<Record<Status, number>> & { readonly noop_pending: number };
  readonly day_before?: { readonly failed: number } | null;
  readonly environments: readonly { readonly name: string; readonly nodes: number }[];
}

export interface FacetValue {
  readonly value: unknown;
  readonly nodes: number;
}
export interface Facets {
  readonly total: number;
  readonly facets: readonly {
    readonly field: string;
    readonly values: readonly FacetValue[];
    readonly others: number;
    readonly missing: number;
  }[];
}

export interface ListedNode {
  readonly certname: string;
  readonly status: Status;
  readonly environment: string | null;
  readonly report_timestamp: string | null;
  readonly latest_report_hash: string | null;
  readonly noop_pending: boolean;
  readonly events: Readonly<Record<'failure' | 'success' | 'skipped' | 'noop', number>> | null;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly runs: string;
}
export interface NodeList {
  readonly total: number;
  /**
   * False if nodes may be missing from the list. This can happen if the request asked for the nodes with one failure,
   * and more failures exist than the service reads.
   */
  readonly complete: boolean;
  readonly nodes: readonly ListedNode[];
  readonly next: string | null;
}

export interface Runs {
  readonly step: number;
  readonly buckets: readonly {
    readonly at: string;
    readonly failed: number;
    readonly changed: number;
    readonly noop: number;
    readonly unchanged: number;
  }[];
  readonly marks: readonly {
    readonly at: string;
    readonly environment: string | null;
    readonly code_id: string;
    readonly nodes: number;
  }[];
}

export interface Cause {
  readonly key: string;
  readonly resource_type: string | null;
  readonly resource_title: string | null;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly class: string | null;
  readonly nodes: number;
  readonly certnames: readonly string[];
  readonly since: string;
  readonly since_exact: boolean;
  readonly runs: number;
  readonly latest_report: string;
}
export interface Failures {
  readonly causes: readonly Cause[];
  readonly others: number;
  /** False if more failures exist than the service reads. The counts are then too low. */
  readonly complete: boolean;
}

export interface FailureGroups {
  readonly groups: readonly {
    readonly name: string;
    readonly nodes: number;
    readonly resources: number;
    readonly examples: readonly string[];
  }[];
  readonly others: number;
}

export interface FactDistribution {
  readonly nodes: number;
  readonly missing: number;
  readonly values: readonly { readonly value: unknown; readonly type: string; readonly nodes: number }[];
  readonly others: number;
}

/** A changed value at a path. `old` is absent if the value was added. `new` is absent if the value was removed. */
export interface ValueChange {
  readonly change: 'added' | 'removed' | 'changed';
  readonly path: readonly (string | number)[];
  readonly old?: unknown;
  readonly new?: unknown;
}
export interface ResourceChange {
  readonly change: ValueChange['change'];
  readonly type: string;
  readonly title: string;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly changes?: readonly ValueChange[];
}
export interface EdgeChange extends Edge {
  readonly change: ValueChange['change'];
}
export interface PackageChange {
  readonly change: ValueChange['change'];
  readonly name: string;
  readonly provider: string;
  readonly old: readonly string[];
  readonly new: readonly string[];
}
interface OriginChange {
  readonly old: string | null;
  readonly new: string | null;
}

export type EntryChange =
  | (ValueChange & { readonly part: 'facts' })
  | (ResourceChange & { readonly part: 'resources' })
  | (EdgeChange & { readonly part: 'edges' })
  | (PackageChange & { readonly part: 'packages' })
  | (OriginChange & { readonly part: 'environment' | 'code_id' | 'status' })
  | (Pick<ReportEvent, 'status' | 'resource_type' | 'resource_title' | 'property' | 'message'> & {
      readonly part: 'events';
      readonly old_value?: unknown;
      readonly new_value?: unknown;
    });

export interface TimelineEntry {
  readonly id: string;
  readonly kind: 'facts' | 'packages' | 'catalog' | 'report' | 'deactivated' | 'expired' | 'returned' | 'node.deleted';
  readonly certname: string;
  readonly received_at: string;
  readonly environment: string | null;
  readonly status: Report['status'] | null;
  readonly report?: string;
  readonly seen_until: string;
  readonly seen_count: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly changes: readonly EntryChange[];
  readonly changes_left_out: number;
}
export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  readonly next: string | null;
}

/** Contains only the requested parts. */
export interface Differences {
  readonly facts?: readonly ValueChange[];
  readonly resources?: readonly ResourceChange[];
  readonly edges?: readonly EdgeChange[];
  readonly packages?: readonly PackageChange[];
}

export type DriftPart = 'facts' | 'resources' | 'packages';
interface NodesOfValue {
  readonly nodes: number;
  readonly certnames: readonly string[];
}
/** An item in which nodes of a group differ. `value` is absent if most nodes do not have the item. */
export type DriftItem = (
  | { readonly path: readonly (string | number)[] }
  | { readonly type: string; readonly title: string }
  | { readonly name: string; readonly provider: string }
) & {
  readonly value?: unknown;
  readonly nodes: number;
  readonly others: readonly (NodesOfValue & { readonly value?: unknown; readonly changes?: readonly ValueChange[] })[];
  readonly others_left_out: number;
  readonly missing: NodesOfValue | null;
};
export type DriftGroup = { readonly value: unknown; readonly nodes: number } & Readonly<
  Partial<
    Record<DriftPart, { readonly equal: number; readonly differing: readonly DriftItem[]; readonly left_out: number }>
  >
>;
export interface Drift {
  readonly groups: readonly DriftGroup[];
  readonly groups_left_out: number;
}

export interface PackageVersions {
  readonly nodes: number;
  readonly versions: readonly {
    readonly version: string;
    readonly provider: string;
    readonly nodes: number;
    readonly newest: boolean;
  }[];
}

export interface Hits {
  readonly hits: readonly { readonly kind: string; readonly name: string; readonly status?: Status | null }[];
}

export interface QueryErrors {
  readonly ok: boolean;
  readonly errors: readonly {
    readonly line: number;
    readonly column: number;
    readonly length: number;
    readonly message: string;
    readonly hint: string | null;
    readonly instead: string | null;
  }[];
}

export interface QueryLanguage {
  readonly entities: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly kind: string; readonly uses: readonly string[] }[];
  }[];
  readonly operators: readonly {
    readonly name: string;
    readonly summary: string;
    readonly pql: readonly string[];
  }[];
  readonly functions: readonly { readonly name: string; readonly summary: string }[];
}

export interface Report {
  readonly hash: string;
  readonly certname: string;
  readonly status: 'failed' | 'changed' | 'unchanged';
  readonly noop: boolean;
  readonly noop_pending: boolean;
  readonly environment: string | null;
  readonly producer: string | null;
  readonly code_id: string | null;
  readonly configuration_version: string;
  readonly agent_version?: string;
  /** A service with PuppetDB's names (`NODELEDGER_DIALECT`) returns `agent_version` under this name. */
  readonly puppet_version?: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly receive_time: string;
  readonly cached_catalog_status: string | null;
}

export interface ReportEvent {
  readonly status: 'success' | 'failure' | 'noop' | 'skipped';
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containing_class: string | null;
  readonly containment_path: readonly string[];
  readonly corrective_change: boolean | null;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly source: string;
  readonly time: string;
  readonly file: string | null;
  readonly line: number | null;
}

export interface Metric {
  readonly category: string;
  readonly name: string;
  readonly value: number;
}

export interface Resource {
  readonly certname: string;
  readonly type: string;
  readonly title: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly exported: boolean;
  readonly tags: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Edge {
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
  readonly relationship: string;
}

export interface Letter {
  readonly name: string;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly received_at: string;
  readonly rejected_at: string;
  readonly last_rejected_at: string;
  readonly attempts: number;
  readonly error: string;
  readonly payload_bytes: number;
}
export interface Letters {
  readonly total: number;
  readonly letters: readonly Letter[];
}

export interface Settings {
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly from: string }[];
}

export type WorkKind = 'verify' | 'rebuild' | 'snapshot' | 'backup' | 'export';

export interface Work {
  readonly id: string;
  readonly kind: WorkKind;
  readonly actor: string;
  readonly started: string;
  readonly ended: string | null;
  readonly state: 'running' | 'stopping' | 'done' | 'failed' | 'stopped';
  readonly progress: {
    readonly step: string;
    readonly done: number;
    readonly of: number;
    readonly unit: string;
    readonly seconds_left: number | null;
  } | null;
  readonly output: string;
}

export interface Works {
  readonly work: readonly Work[];
}

export interface Operation {
  readonly at: string;
  readonly log: {
    readonly id: string;
    readonly stored_in: string;
    readonly lag: number;
    readonly last_snapshot: string | null;
  };
  readonly partitions: readonly {
    readonly partition: number;
    readonly history_from: number;
    readonly snapshot_from: number | null;
    readonly end: number;
    readonly applied: number;
    readonly lag: number;
  }[];
  readonly generations: readonly {
    readonly generation: number;
    readonly state: string;
    readonly version: number;
    readonly created: string;
    readonly lag: number | null;
  }[];
  readonly work: readonly {
    readonly kind: string;
    readonly generation: number;
    readonly done: number;
    readonly of: number;
  }[];
  readonly dead_letters: number;
  readonly state: string;
  readonly storage: {
    readonly log_bytes: number | null;
    readonly table_bytes: number;
    readonly other_bytes: number;
    readonly wal_bytes: number | null;
    readonly disk: {
      readonly free_bytes: number;
      readonly total_bytes: number;
      readonly seconds_until_full: number | null;
    } | null;
  } | null;
  readonly health: readonly {
    readonly check: string;
    readonly level: 'warning' | 'error';
    readonly says: string;
    readonly effect: string | null;
    readonly remedy: string | null;
    readonly since: string;
  }[];
}

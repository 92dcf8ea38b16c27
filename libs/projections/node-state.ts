import type { Position } from '#log';
import type { CatalogSections, IsoTime } from '#wire';

/** Columns of `nodes` that records change (`nodes/node-columns.ts`). */
export interface NodeRow {
  deactivated: IsoTime | null;
  expired: IsoTime | null;
  /**
   * For an expired node: a document with this time or a later time activates the node. Null if the time is unknown (see
   * `activate`).
   */
  expiredCutoff: IsoTime | null;
  catalogTimestamp: IsoTime | null;
  factsTimestamp: IsoTime | null;
  reportTimestamp: IsoTime | null;
  catalogEnvironment: string | null;
  factsEnvironment: string | null;
  reportEnvironment: string | null;
  latestReportStatus: string | null;
  latestReportNoop: boolean | null;
  latestReportNoopPending: boolean | null;
  latestReportCorrectiveChange: boolean | null;
  latestReportHash: string | null;
  latestReportJobId: string | null;
  cachedCatalogStatus: string | null;
  catalogProducerTimestamp: IsoTime | null;
  factsProducerTimestamp: IsoTime | null;
  reportProducerTimestamp: IsoTime | null;
  inputsProducerTimestamp: IsoTime | null;
  expiresFacts: boolean;
  expiresFactsUpdated: IsoTime | null;
  /** Position of the last record that changed the state of the node (see `setStatePosition`); null if there is none. */
  logPartition: number | null;
  logOffset: number | null;
}

/** A version of a node's row. The record at the offset `since` made this version. */
export interface NodeVersion {
  readonly since: number;
  readonly row: NodeRow;
}

/** State of a node after the records applied so far. */
export interface NodeState {
  readonly node: string;
  readonly certname: string;
  /** False if neither the table `nodes` nor the batch has a row for the node. */
  stored: boolean;
  /** True if the record that is being applied has changed the row. */
  dirty: boolean;
  /**
   * The versions of the row that a batch has made: all versions if the tables keep their past, otherwise only the last
   * version.
   */
  readonly versions: NodeVersion[];
  readonly row: NodeRow;
  /** Digest of the stored factset (16 bytes for each fact); undefined if none is stored. */
  factDigest: Buffer | undefined;
  /** Digest of the stored package list; undefined if the node has no packages. */
  packageDigest: Buffer | undefined;
  /** Sections, hash and code_id of the current catalog; undefined if there is none. */
  catalog: (CatalogSections & { readonly hash: string; readonly codeId: string | null }) | undefined;
}

const emptyRow: NodeRow = {
  deactivated: null,
  expired: null,
  expiredCutoff: null,
  catalogTimestamp: null,
  factsTimestamp: null,
  reportTimestamp: null,
  catalogEnvironment: null,
  factsEnvironment: null,
  reportEnvironment: null,
  latestReportStatus: null,
  latestReportNoop: null,
  latestReportNoopPending: null,
  latestReportCorrectiveChange: null,
  latestReportHash: null,
  latestReportJobId: null,
  cachedCatalogStatus: null,
  catalogProducerTimestamp: null,
  factsProducerTimestamp: null,
  reportProducerTimestamp: null,
  inputsProducerTimestamp: null,
  expiresFacts: true,
  expiresFactsUpdated: null,
  logPartition: null,
  logOffset: null,
};

/** Returns the state of an unknown node. */
export function newNode(node: string, certname: string): NodeState {
  return {
    node,
    certname,
    stored: false,
    dirty: false,
    versions: [],
    row: { ...emptyRow },
    factDigest: undefined,
    packageDigest: undefined,
    catalog: undefined,
  };
}

/**
 * Adds the row as a version if the record at the offset `since` has changed it. NodeState.versions describes
 * `keepsEarlier`.
 */
export function addVersion(state: NodeState, since: number, keepsEarlier: boolean): void {
  if (!state.dirty) return;
  state.dirty = false;
  state.stored = true;
  if (!keepsEarlier) state.versions.length = 0;
  state.versions.push({ since, row: { ...state.row } });
}

/**
 * Stores the position of a record that changed the state of the node. Such a record contains a deactivation, an expiry,
 * an expiration setting or a purge of the node's reports. A snapshot of the log restores the state at this position, so
 * that later documents find the same state.
 */
export function setStatePosition({ row }: NodeState, { partition, offset }: Position): void {
  row.logPartition = partition;
  row.logOffset = offset;
}

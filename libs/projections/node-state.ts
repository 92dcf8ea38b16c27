import type { Position } from '#log';
import type { CatalogSections, IsoTime } from '#wire';

export interface NodeRow {
  deactivated: IsoTime | null;
  expired: IsoTime | null;
  /** A document with this time or a later time activates an expired node. Null if the time is unknown. */
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
  /** Position of the last record that changed the state of the node (see `setStatePosition`). Null if there is none. */
  logPartition: number | null;
  logOffset: number | null;
}

export interface NodeVersion {
  readonly since: number;
  readonly row: NodeRow;
}

export interface NodeState {
  readonly node: string;
  readonly certname: string;
  /** False if neither the table `nodes` nor the batch has a row for the node. */
  stored: boolean;
  /** True if the current record has changed the row. */
  dirty: boolean;
  /** The versions of the row that the batch has made. Contains only the last version if the tables keep no past. */
  readonly versions: NodeVersion[];
  readonly row: NodeRow;
  /** 16 bytes for each fact of the stored factset. Undefined if no factset is stored. */
  factDigest: Buffer | undefined;
  packageDigest: Buffer | undefined;
  catalog: (CatalogSections & { readonly hash: string; readonly codeId: string | null }) | undefined;
}

export const emptyRow: NodeRow = {
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

export function addVersion(state: NodeState, since: number, keepsEarlier: boolean): void {
  if (!state.dirty) return;
  state.dirty = false;
  state.stored = true;
  if (!keepsEarlier) state.versions.length = 0;
  state.versions.push({ since, row: { ...state.row } });
}

/**
 * Stores the position of the last record that changed the state of the node. A snapshot of the log restores the state
 * at this position, so that later documents find the same state.
 */
export function setStatePosition({ row }: NodeState, { partition, offset }: Position): void {
  row.logPartition = partition;
  row.logOffset = offset;
}

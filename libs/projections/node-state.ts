import type { Position } from '#log';
import type { CatalogSections, IsoTime } from '#wire';

/** The columns of a row of `nodes` that records change (`nodes/node-columns.ts`). */
export interface NodeRow {
  deactivated: IsoTime | null;
  expired: IsoTime | null;
  /** Of an expired node: what is not older than this brings it back. Null where it is not known (see `activate`). */
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
  /** Where the last record stands that was applied to the node's life (see `setStatePosition`); null: none was. */
  logPartition: number | null;
  logOffset: number | null;
}

/** A node as it stands after the records applied so far: what was loaded, then changed by the fold. */
export interface NodeState {
  readonly node: string;
  readonly certname: string;
  /** False while no row of `nodes` exists. */
  stored: boolean;
  /** True once something of the row differs from what is stored. */
  dirty: boolean;
  readonly row: NodeRow;
  /** Digest bytes of the stored factset (16 a fact); undefined: none stored. */
  factDigest: Buffer | undefined;
  /** Digest of the stored package list; undefined: the node has no packages. */
  packageDigest: Buffer | undefined;
  /** Sections and hash of the catalog as it stands; undefined: none. */
  catalog: (CatalogSections & { hash: string }) | undefined;
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

/** A node that no record has named before. */
export function newNode(node: string, certname: string): NodeState {
  return {
    node,
    certname,
    stored: false,
    dirty: false,
    row: { ...emptyRow },
    factDigest: undefined,
    packageDigest: undefined,
    catalog: undefined,
  };
}

/**
 * The record at `place` was applied to the node's life: deactivation, expiry, expiration setting, purge of its reports. A
 * base of the log says there how the node stands; documents that come behind it find what they would have found.
 */
export function setStatePosition({ row }: NodeState, { partition, offset }: Position): void {
  row.logPartition = partition;
  row.logOffset = offset;
}

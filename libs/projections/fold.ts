/**
 * The fold: what one document does to its node. Takes the node's state and a checked document, changes the state and
 * says what has to be written. Pure: the record's own times decide, never the clock, so a replay ends equal.
 */
import type { Position } from '#log';
import type {
  IsoTime,
  WireCatalog,
  WireCatalogInputs,
  WireDeactivation,
  WireExpiration,
  WireFactset,
  WireNodeRestoration,
  WireReport,
} from '#wire';
import { setStatePosition, type NodeState } from './node-state';
import { documentTimes } from './nodes/life-signs';

/** True where the document counts; false where a newer one is stored already (the node may be activated all the same). */
export type Applied = boolean;

/**
 * Any document about a node activates it, unless the node was deactivated at a time that is not before the document's,
 * or expired with a cut-off that is after it. Such a node takes the data and stays away. The cut-off counts, not the
 * time of the expiry, because that one is the clock of the process that cleaned: were it ahead, the node would stay away
 * until the true time had passed it.
 */
function activate(state: NodeState, time: IsoTime): void {
  const { row } = state;
  state.dirty ||= !state.stored;
  if (row.deactivated === null && row.expired === null) return;
  if (row.deactivated !== null && row.deactivated >= time) return;
  if (row.expired !== null && isBeforeExpiry(time, row.expired, row.expiredCutoff)) return;
  row.deactivated = null;
  row.expired = null;
  row.expiredCutoff = null;
  state.dirty = true;
}

/** A base that was made before cut-offs were kept only tells when the node expired; then that time counts. */
const isBeforeExpiry = (time: IsoTime, expired: IsoTime, cutoff: IsoTime | null): boolean =>
  cutoff === null ? time <= expired : time < cutoff;

export function foldFactset(state: NodeState, facts: WireFactset, receivedAt: IsoTime): Applied {
  activate(state, facts.producerTimestamp);
  const { row } = state;
  if (row.factsProducerTimestamp !== null && facts.producerTimestamp < row.factsProducerTimestamp) return false;
  row.factsProducerTimestamp = facts.producerTimestamp;
  row.factsTimestamp = receivedAt;
  row.factsEnvironment = facts.environment;
  state.dirty = true;
  return true;
}

export function foldCatalog(state: NodeState, catalog: WireCatalog, receivedAt: IsoTime): Applied {
  activate(state, catalog.producerTimestamp);
  const { row } = state;
  if (row.catalogProducerTimestamp !== null && catalog.producerTimestamp < row.catalogProducerTimestamp) return false;
  row.catalogProducerTimestamp = catalog.producerTimestamp;
  row.catalogTimestamp = receivedAt;
  row.catalogEnvironment = catalog.environment;
  state.dirty = true;
  return true;
}

/** Returns true where the report is its node's latest from now on. Reports of plans never are. */
export function foldReport(state: NodeState, report: WireReport): boolean {
  activate(state, report.producerTimestamp);
  const { row } = state;
  if (report.type !== 'agent') return false;
  if (row.reportProducerTimestamp !== null && report.producerTimestamp <= row.reportProducerTimestamp) return false;
  row.reportProducerTimestamp = report.producerTimestamp;
  row.reportTimestamp = report.endTime;
  row.reportEnvironment = report.environment;
  row.latestReportStatus = report.status;
  row.latestReportNoop = report.noop;
  row.latestReportNoopPending = report.noopPending;
  row.latestReportCorrectiveChange = report.correctiveChange;
  row.latestReportHash = report.hash;
  row.latestReportJobId = report.jobId;
  row.cachedCatalogStatus = report.cachedCatalogStatus;
  state.dirty = true;
  return true;
}

/** A report that is stored already does no more than to show that its node lives. */
export function foldRepeatedReport(state: NodeState, report: WireReport): void {
  activate(state, report.producerTimestamp);
}

const outdatingDeactivation = documentTimes(({ outdatesDeactivation }) => outdatesDeactivation);

/** Ignored where a newer factset, catalog or report is known, or a later deactivation. Creates a node never seen before. */
export function foldDeactivation(
  state: NodeState,
  deactivation: WireDeactivation,
  receivedAt: IsoTime,
  place: Position,
): Applied {
  const time = deactivation.producerTimestamp ?? receivedAt;
  const { row } = state;
  state.dirty ||= !state.stored;
  for (const field of outdatingDeactivation) {
    const newer = row[field];
    if (newer !== null && newer > time) return false;
  }
  if (row.deactivated !== null && row.deactivated >= time) return false;
  row.deactivated = time;
  setStatePosition(state, place);
  state.dirty = true;
  return true;
}

/** Ignored where the stored setting is as new or newer. */
export function foldExpiration(
  state: NodeState,
  expiration: WireExpiration,
  receivedAt: IsoTime,
  place: Position,
): Applied {
  const time = expiration.producerTimestamp ?? receivedAt;
  activate(state, time);
  const { row } = state;
  if (row.expiresFactsUpdated !== null && row.expiresFactsUpdated >= time) return false;
  row.expiresFacts = expiration.expireFacts;
  row.expiresFactsUpdated = time;
  setStatePosition(state, place);
  state.dirty = true;
  return true;
}

/** Ignored where the stored inputs are as new or newer. An empty list does nothing at all: it does not even activate. */
export function foldCatalogInputs(state: NodeState, inputs: WireCatalogInputs, receivedAt: IsoTime): Applied {
  if (inputs.inputs.length === 0) return false;
  const time = inputs.producerTimestamp ?? receivedAt;
  activate(state, time);
  const { row } = state;
  if (row.inputsProducerTimestamp !== null && row.inputsProducerTimestamp >= time) return false;
  row.inputsProducerTimestamp = time;
  state.dirty = true;
  return true;
}

/**
 * A base of the log says how its node stood; that counts outright, whatever documents before it made of the node. Creates
 * the node of which nothing else is left.
 */
export function foldNodeRestoration(state: NodeState, restoration: WireNodeRestoration, place: Position): void {
  const { row } = state;
  row.deactivated = restoration.deactivated;
  row.expired = restoration.expired;
  row.expiredCutoff = restoration.expiredCutoff;
  row.expiresFacts = restoration.expireFacts;
  row.expiresFactsUpdated = restoration.expireFactsUpdated;
  setStatePosition(state, place);
  state.dirty = true;
}

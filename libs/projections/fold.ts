/**
 * Functions that apply a document to the state of its node. They are pure and use no clock, so that a replay has the
 * same result.
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

/** False if a newer document is stored. Even then, the document can activate the node. */
export type Applied = boolean;

/**
 * The node stays inactive if it was deactivated at or after the time of the document, or if the cutoff of its expiry is
 * after this time. The time of the expiry is not compared, because the clock of the process that expired the node can
 * be ahead.
 */
function activate(state: NodeState, time: IsoTime): void {
  const { row } = state;
  state.dirty ||= !state.stored;
  if (row.deactivated === null && row.expired === null) return;
  if (row.deactivated !== null && row.deactivated >= time) return;
  if (row.expiredCutoff !== null && time < row.expiredCutoff) return;
  row.deactivated = null;
  row.expired = null;
  row.expiredCutoff = null;
  state.dirty = true;
}

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

/** Returns whether the report is now the latest report of its node. A report of a plan never is. */
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

/** A report that is already stored can only activate its node. */
export function foldRepeatedReport(state: NodeState, report: WireReport): void {
  activate(state, report.producerTimestamp);
}

const outdatingDeactivation = documentTimes(({ outdatesDeactivation }) => outdatesDeactivation);

/**
 * Ignores the deactivation if a newer factset, catalog or report is stored, or if a stored deactivation is as new or
 * newer. Creates the node if it is unknown.
 */
export function foldDeactivation(
  state: NodeState,
  deactivation: WireDeactivation,
  receivedAt: IsoTime,
  position: Position,
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
  setStatePosition(state, position);
  state.dirty = true;
  return true;
}

export function foldExpiration(
  state: NodeState,
  expiration: WireExpiration,
  receivedAt: IsoTime,
  position: Position,
): Applied {
  const time = expiration.producerTimestamp ?? receivedAt;
  activate(state, time);
  const { row } = state;
  if (row.expiresFactsUpdated !== null && row.expiresFactsUpdated >= time) return false;
  row.expiresFacts = expiration.expireFacts;
  row.expiresFactsUpdated = time;
  setStatePosition(state, position);
  state.dirty = true;
  return true;
}

/** An empty list of inputs changes nothing and does not activate the node. */
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

/** Sets the state of a node to its state in a snapshot of the log, regardless of earlier documents. */
export function foldNodeRestoration(state: NodeState, restoration: WireNodeRestoration, position: Position): void {
  const { row } = state;
  row.deactivated = restoration.deactivated;
  row.expired = restoration.expired;
  row.expiredCutoff = restoration.expiredCutoff;
  row.expiresFacts = restoration.expireFacts;
  row.expiresFactsUpdated = restoration.expireFactsUpdated;
  setStatePosition(state, position);
  state.dirty = true;
}

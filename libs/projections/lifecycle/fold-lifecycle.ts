/**
 * What maintenance does to a node's state. Maintenance looked at the read tables before it appended its record, so each
 * condition is asked once more here, where the record stands in the log: a node that came back meanwhile is left alone.
 * Pure, as the rest of the fold.
 */
import type { Position } from '#log';
import type { IsoTime, WireNodeExpiry, WireNodePurge, WireReportPurge } from '#wire';
import { setStatePosition, newNode, type NodeState } from '../node-state';
import { documentTimes } from '../nodes/life-signs';
import { latestReportFields } from '../nodes/node-columns';

/** Stored, or made earlier in the batch by a base's word of it. */
const exists = (state: NodeState): boolean => state.stored || state.dirty;

const allTimes = documentTimes();

/** True where an active node was silent since before the cut-off, by all that it sends, and its facts may expire. */
export function foldNodeExpiry(state: NodeState, { expired, cutoff }: WireNodeExpiry, place: Position): boolean {
  const { row } = state;
  if (!exists(state) || row.deactivated !== null || row.expired !== null || !row.expiresFacts) return false;
  for (const field of allTimes) {
    const time = row[field];
    if (time !== null && time >= cutoff) return false;
  }
  row.expired = expired;
  row.expiredCutoff = cutoff;
  setStatePosition(state, place);
  state.dirty = true;
  return true;
}

/** True where the node was deactivated or expired before the cut-off: the state is a new node's then. */
export function foldNodePurge(state: NodeState, { cutoff }: WireNodePurge): boolean {
  const { deactivated, expired } = state.row;
  const away = [deactivated, expired].some((time) => time !== null && time < cutoff);
  if (away) foldNodeDeletion(state);
  return away;
}

/** The state is that of a node which no record has named. */
export function foldNodeDeletion(state: NodeState): void {
  Object.assign(state, newNode(state.node, state.certname));
}

/**
 * A node whose latest report goes has none: the latest is the newest of its agent's reports, so that all of them go.
 * The node stays, also where nothing else is left of it: so the place of the purge is kept, whatever it takes away.
 * Returns the time before which reports go.
 */
export function foldReportPurge(state: NodeState, { cutoff }: WireReportPurge, place: Position): IsoTime {
  const { row } = state;
  if (!exists(state)) return cutoff;
  setStatePosition(state, place);
  state.dirty = true;
  if (row.reportProducerTimestamp !== null && row.reportProducerTimestamp < cutoff) {
    for (const field of latestReportFields) row[field] = null;
  }
  return cutoff;
}

import type { ChangeKind } from '../filter/change-filter';
import type { TimelineEntry } from '../timeline/timeline-entry';

/** A change that streams and webhooks send: an entry of the timeline, or the deletion of a node. */
export interface Change extends Omit<TimelineEntry, 'kind'> {
  readonly kind: ChangeKind;
}

/** The properties of a change that are known before its entry is read. */
export interface ChangeRow extends Pick<Change, 'kind' | 'environment' | 'receivedAt' | 'position'> {
  readonly uuid: string;
  /** Key of the node. */
  readonly node: string;
  /** The certname of the node. Null if the node was purged later. */
  readonly certname: string | null;
}

import type { ChangeKind } from '../filter/change-filter';
import type { TimelineEntry } from '../timeline/timeline-entry';

/** An entry of the timeline, or the deletion of a node. */
export interface Change extends Omit<TimelineEntry, 'kind'> {
  readonly kind: ChangeKind;
}

export interface ChangeRow extends Pick<Change, 'kind' | 'environment' | 'receivedAt' | 'position'> {
  readonly uuid: string;
  readonly node: string;
  /** Null if the node was purged later. */
  readonly certname: string | null;
}

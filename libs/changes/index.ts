export { ChangesModule, type ChangesOptions } from './changes.module';
export {
  changeCondition,
  type ChangeFilter,
  type ChangeKind,
  changeKinds,
  readChangeFilter,
} from './filter/change-filter';
export { entriesOf, type RowSource } from './timeline/entries-of';
export { rowSource } from './timeline/row-source';
export type { TimelineEntry, TimelineKey, TimelineKind } from './timeline/timeline-entry';
export type { Change, ChangeRow } from './stream/change';
export { type ChangeGroup, ChangeReader, type ReadChanges } from './stream/change-reader';
export { ChangesGone } from './stream/history-state';
export { readPosition, type StreamPosition, writePosition } from './stream/stream-position';

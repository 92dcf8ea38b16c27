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

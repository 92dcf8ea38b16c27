export { ChangesModule, type ChangesOptions } from './changes.module';
export { entriesOf, type RowSource } from './timeline/entries-of';
export { rowSource } from './timeline/row-source';
export type { TimelineEntry, TimelineKey, TimelineKind } from './timeline/timeline-entry';

import type { OwnTable } from '../schema/read-table';
import { isIn } from './nodes-of';

/**
 * Reports that an age limit has removed, but whose rows are still stored. The batch that applies an age limit only
 * writes a row to `removals`, because the age limit may remove a day's reports of the whole fleet. `deleteRemovedRows`
 * deletes the rows later. An age limit removes only reports that are before the age limit in the log. The age limit
 * keeps a report that was appended later, even if the time of the report is before the cutoff.
 */

/** `r`: reports with their events. `e`: events and their counts. */
export type RemovalKind = 'r' | 'e';

/** Returns the SQL condition that the report `r` is removed. */
export const isRemoved = (schema: string, kinds: readonly RemovalKind[] = ['r'], r = 'r'): string =>
  `EXISTS (SELECT FROM ${schema}.removals removal WHERE ${removalMatches(kinds, r)})`;

/** Returns the SQL condition that the row `removal` removes the report `r`. */
export const removalMatches = (kinds: readonly RemovalKind[], r = 'r'): string =>
  `removal.kind IN (${kinds.map((removal) => `'${removal}'`).join(', ')}) AND removal.log_partition = ${r}.log_partition
   AND ${r}.log_offset < removal.log_offset AND ${r}.producer_timestamp < removal.before
   AND ${isIn(`${r}.node`, 'removal.parts', 'removal.of_parts')}`;

/** Returns the SQL condition that the report of the row `t` is removed. `t` is a row of a table below `reports`. */
const hasRemovedReport = (schema: string, kinds: readonly RemovalKind[], t: string): string =>
  `EXISTS (SELECT FROM ${schema}.reports r WHERE r.report = ${t}.report AND ${isRemoved(schema, kinds)})`;

/** Returns the SQL condition that the row of a table is not removed. */
export function isLeft(schema: string, { ageLimit }: OwnTable, row: string): string {
  if (ageLimit === undefined) return 'true';
  return `NOT ${ageLimit === 'reports' ? isRemoved(schema, ['r'], row) : hasRemovedReport(schema, ['r', 'e'], row)}`;
}

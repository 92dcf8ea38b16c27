import type { OwnTable } from '../schema/read-table';
import { isIn } from './nodes-of';

/**
 * An age limit can remove the reports of a day for the whole fleet. So the batch that applies the age limit only writes
 * a row to `removals`, and `deleteRemovedRows` deletes the reports later. An age limit removes only reports that are
 * before it in the log.
 */

/** `r`: reports with their events. `e`: events and their counts. */
export type RemovalKind = 'r' | 'e';

export const isRemoved = (schema: string, kinds: readonly RemovalKind[] = ['r'], r = 'r'): string =>
  `EXISTS (SELECT FROM ${schema}.removals removal WHERE ${removalMatches(kinds, r)})`;

export const removalMatches = (kinds: readonly RemovalKind[], r = 'r'): string =>
  `removal.kind IN (${kinds.map((removal) => `'${removal}'`).join(', ')}) AND removal.log_partition = ${r}.log_partition
   AND ${r}.log_offset < removal.log_offset AND ${r}.producer_timestamp < removal.before
   AND ${isIn(`${r}.node`, 'removal.parts', 'removal.of_parts')}`;

/** `t` is a row of a table whose rows belong to reports. */
const hasRemovedReport = (schema: string, kinds: readonly RemovalKind[], t: string): string =>
  `EXISTS (SELECT FROM ${schema}.reports r WHERE r.report = ${t}.report AND ${isRemoved(schema, kinds)})`;

export function isLeft(schema: string, { ageLimit }: OwnTable, row: string): string {
  if (ageLimit === undefined) return 'true';
  return `NOT ${ageLimit === 'reports' ? isRemoved(schema, ['r'], row) : hasRemovedReport(schema, ['r', 'e'], row)}`;
}

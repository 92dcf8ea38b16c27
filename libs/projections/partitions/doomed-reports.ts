import { isIn } from './nodes-of';

/**
 * Reports that an age limit has taken, but whose rows are still stored. The batch that applies an age limit writes one row of
 * `removals` and deletes no report, because it may take a day's reports of the whole fleet. `removeDoomed` deletes
 * them later. A report that stands in the log behind the age limit is not meant, however old it is.
 */

/** `r`: reports with all that belongs to them. `e`: their events and the counts of these. */
export type Doom = 'r' | 'e';

/** SQL: whether the report `r` is doomed. */
export const isDoomed = (schema: string, dooms: readonly Doom[] = ['r'], r = 'r'): string =>
  `EXISTS (SELECT FROM ${schema}.removals doom WHERE ${meets(dooms, r)})`;

/** SQL: whether the removal `doom` takes the report `r`. */
export const meets = (dooms: readonly Doom[], r = 'r'): string =>
  `doom.kind IN (${dooms.map((doom) => `'${doom}'`).join(', ')}) AND doom.log_partition = ${r}.log_partition
   AND ${r}.log_offset < doom.log_offset AND ${r}.producer_timestamp < doom.before
   AND ${isIn(`${r}.node`, 'doom.parts', 'doom.of_parts')}`;

/** SQL: whether the report of the row `t` of a table below `reports` is doomed. */
export const isOfDoomed = (schema: string, dooms: readonly Doom[], t = 't'): string =>
  `EXISTS (SELECT FROM ${schema}.reports r WHERE r.report = ${t}.report AND ${isDoomed(schema, dooms)})`;

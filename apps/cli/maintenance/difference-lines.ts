import type { Comparison, Difference } from '#projections';
import { sliceMembers } from '#wire';
import { amount } from '../amounts';

/** One column in which two rows differ; values are JSON texts, null where the row is not there. */
interface DifferingColumn {
  readonly column: string;
  readonly live: string | null;
  readonly replayed: string | null;
}

/** A row that differs, with the columns that do; all of them where only one of the two tables has it. */
interface DifferingRow {
  readonly table: string;
  readonly certname: string | null;
  /** Which of the two has the row. */
  readonly in: 'live' | 'replayed' | 'both';
  readonly columns: readonly DifferingColumn[];
}

const longestValue = 160;

/** Column by column, numbers as they are: most keys have more digits than a double keeps. */
export function differingRow({ table, certname, live, replayed }: Difference): DifferingRow {
  const names = [...new Set([...columnsOf(live), ...columnsOf(replayed)])];
  const [ofLive, ofReplayed] = [live, replayed].map((row) => sliceMembers(row ?? '{}', names)?.found);
  const columns = names
    .map((column) => ({ column, live: ofLive?.get(column) ?? null, replayed: ofReplayed?.get(column) ?? null }))
    .filter((one) => one.live !== one.replayed);
  return { table, certname, in: live === null ? 'replayed' : replayed === null ? 'live' : 'both', columns };
}

const columnsOf = (row: string | null): string[] => (row === null ? [] : Object.keys(JSON.parse(row) as object));

/** For people: each row that differs with its columns, no more than `most` rows. */
export function differenceLines({ differences, counted }: Comparison, most: number): string {
  const shown = differences.slice(0, most).map((difference) => rowLines(differingRow(difference)));
  const left = counted - Math.min(most, differences.length);
  return shown.join('') + (left > 0 ? `and ${amount(left, 'more row')}\n` : '');
}

function rowLines({ table, certname, in: where, columns }: DifferingRow): string {
  const whose = certname === null ? '' : ` of ${plain(certname)}`;
  if (where === 'both') {
    const lines = columns.map(
      ({ column, live, replayed }) => `    ${column}: live ${value(live)}, log ${value(replayed)}\n`,
    );
    return `${table}${whose}: differs\n${lines.join('')}`;
  }
  const title = where === 'live' ? 'only in the live tables' : 'only in the log, missing in the live tables';
  const lines = columns.map((one) => `    ${one.column}: ${value(one[where])}\n`);
  return `${table}${whose}: ${title}\n${lines.join('')}`;
}

function value(text: string | null): string {
  const shown = plain(text ?? 'not there');
  return shown.length > longestValue ? `${shown.slice(0, longestValue - 1)}…` : shown;
}

// Values come from outside: no control character of theirs reaches the terminal.
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

import type { Comparison, Difference } from '#projections';
import { sliceMembers } from '#wire';
import { amount } from '../amounts';
import { onOneLine } from '../on-one-line';

/** Values are JSON texts. A value is null if the table does not have the row. */
interface DifferingColumn {
  readonly column: string;
  readonly live: string | null;
  readonly replayed: string | null;
}

/** If only one table has the row, `columns` contains all columns. Otherwise it contains the columns that differ. */
interface DifferingRow {
  readonly table: string;
  readonly certname: string | null;
  readonly in: 'live' | 'replayed' | 'both';
  readonly columns: readonly DifferingColumn[];
}

const longestValue = 160;

/** Compares the columns as texts, because most keys have more digits than a double can represent. */
export function differingRow({ table, certname, live, replayed }: Difference): DifferingRow {
  const names = [...new Set([...columnsOf(live), ...columnsOf(replayed)])];
  const [ofLive, ofReplayed] = [live, replayed].map((row) => sliceMembers(row ?? '{}', names)?.found);
  const columns = names
    .map((column) => ({ column, live: ofLive?.get(column) ?? null, replayed: ofReplayed?.get(column) ?? null }))
    .filter((one) => one.live !== one.replayed);
  return { table, certname, in: live === null ? 'replayed' : replayed === null ? 'live' : 'both', columns };
}

const columnsOf = (row: string | null): string[] => (row === null ? [] : Object.keys(JSON.parse(row) as object));

export function differenceLines({ differences, counted }: Comparison, most: number): string {
  const shown = differences.slice(0, most).map((difference) => rowLines(differingRow(difference)));
  const left = counted - Math.min(most, differences.length);
  return shown.join('') + (left > 0 ? `and ${amount(left, 'more row')}\n` : '');
}

function rowLines({ table, certname, in: where, columns }: DifferingRow): string {
  const whose = certname === null ? '' : ` of ${onOneLine(certname)}`;
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
  const shown = onOneLine(text ?? 'not there');
  return shown.length > longestValue ? `${shown.slice(0, longestValue - 1)}…` : shown;
}

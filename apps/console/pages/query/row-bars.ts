import type { Bar } from '../../parts/bars';
import { excerpt, valueText, visible } from '../../parts/text';
import { cellOf, columnsOf } from './row-cells';

const mostBars = 50;

export function barsOfRows(rows: readonly unknown[]): { readonly column: string; readonly bars: Bar[] } | undefined {
  const columns = columnsOf(rows);
  const column = columns.find((name) => rows.every((row) => typeof cellOf(row, name) === 'number'));
  if (column === undefined || rows.length === 0) return undefined;
  const labels = columns.filter((name) => name !== column);
  const bars = rows.slice(0, mostBars).map((row, index): Bar => {
    const label = labels.map((name) => valueText(cellOf(row, name) ?? 'null')).join(', ');
    return { key: String(index), label: visible(excerpt(label, 120)), figure: cellOf(row, column) as number };
  });
  return { column, bars };
}

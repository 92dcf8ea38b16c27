import { useRef, useState } from 'preact/hooks';
import { hrefTo } from '../../address/address';
import { NodeName } from '../../parts/node-name';
import { excerpt, valueText, visible } from '../../parts/text';
import { useVirtualRows } from '../../parts/use-virtual-rows';
import { cellOf, columnsOf } from './row-cells';

export function ResultTable({ rows }: { readonly rows: readonly unknown[] }) {
  const [sort, setSort] = useState<{ column: string; isDescending: boolean }>();
  const body = useRef<HTMLTableSectionElement>(null);
  const columns = columnsOf(rows);
  const sorted = sort === undefined ? rows : [...rows].sort(by(sort.column, sort.isDescending));
  const virtual = useVirtualRows(sorted.length, 34, () => {
    const table = body.current?.parentElement;
    return table === null || table === undefined ? 500 : table.getBoundingClientRect().top + scrollY;
  });
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Rows of the answer">
      <table class="results">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                aria-sort={sort?.column !== column ? undefined : sort.isDescending ? 'descending' : 'ascending'}
              >
                <button
                  type="button"
                  class="sorter"
                  onClick={() => setSort({ column, isDescending: sort?.column === column && !sort.isDescending })}
                >
                  {visible(column)}
                  {sort?.column === column && <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {virtual.before > 0 && (
            <tr class="gap" aria-hidden="true">
              <td colSpan={columns.length} style={{ height: `${virtual.before}px` }} />
            </tr>
          )}
          {virtual.items.map(({ index }) => (
            <tr key={index} data-row>
              {columns.map((column) => (
                <td key={column} class="cell">
                  <Cell column={column} value={cellOf(sorted[index], column)} />
                </td>
              ))}
            </tr>
          ))}
          {virtual.after > 0 && (
            <tr class="gap" aria-hidden="true">
              <td colSpan={columns.length} style={{ height: `${virtual.after}px` }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const by =
  (column: string, isDescending: boolean) =>
  (one: unknown, other: unknown): number => {
    const [left, right] = [cellOf(one, column), cellOf(other, column)];
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : valueText(left ?? '').localeCompare(valueText(right ?? ''), undefined, { numeric: true });
    return isDescending ? -order : order;
  };

function Cell({ column, value }: { readonly column: string; readonly value: unknown }) {
  if (value === null || value === undefined) return <span class="faint">null</span>;
  if (column === 'certname' && typeof value === 'string') return <NodeName name={value} />;
  if ((column === 'report' || column === 'latest_report_hash') && typeof value === 'string')
    return (
      <a class="link mono small" href={hrefTo(['reports', value])}>
        {value.slice(0, 12)}
      </a>
    );
  const text = valueText(value);
  return (
    <bdi
      class={typeof value === 'string' ? undefined : 'mono small'}
      title={text.length > 80 ? visible(text.slice(0, 1000)) : undefined}
    >
      {visible(excerpt(text.slice(0, 400), 120))}
    </bdi>
  );
}

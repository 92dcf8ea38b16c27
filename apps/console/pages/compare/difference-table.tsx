import type { ComponentChildren } from 'preact';
import { hrefTo } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { counted, valueText, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import type { DifferenceRow } from './difference-rows';

const mostRows = 1000;

/**
 * In characters. A longer value is shortened, and has a button that shows the whole value. A shortened value is not a
 * link, because a link cannot contain a button.
 */
const longest = 200;

export function DifferenceTable({
  rows,
  heads,
}: {
  readonly rows: readonly (DifferenceRow & { readonly isEqual?: boolean })[];
  readonly heads: readonly [ComponentChildren, ComponentChildren];
}) {
  return (
    <>
      <table class="compare fold">
        <thead>
          <tr>
            <th>Name</th>
            {heads.map((head, index) => (
              <th key={index}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map(({ name, page, fact, one, other, isEqual = false }, index) => (
            <tr key={`${index} ${name}`} data-row>
              <td class="mono small wide">
                {page === undefined ? (
                  <bdi>{visible(name)}</bdi>
                ) : (
                  <a class="plain-link" href={hrefTo(page)}>
                    <bdi>{visible(name)}</bdi>
                  </a>
                )}
              </td>
              <SideValue fact={fact} value={one} tone={isEqual ? '' : 'del'} />
              <SideValue fact={fact} value={other} tone={isEqual ? '' : 'add'} />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && (
        <p class="in muted small">{counted(rows.length - mostRows, 'further row')} not shown.</p>
      )}
    </>
  );
}

function SideValue({
  fact,
  value,
  tone,
}: {
  readonly fact: string | undefined;
  readonly value: unknown;
  readonly tone: string;
}) {
  const isFilter =
    fact !== undefined && (typeof value !== 'object' || value === null) && valueText(value ?? null).length <= longest;
  return (
    <td class={`mono small ${tone}`}>
      {value === undefined ? (
        <span class="faint">missing</span>
      ) : isFilter ? (
        <a
          class="plain-link"
          href={hrefTo(['nodes'], filterParams(`fact:${fact}`, [value]))}
          title="Nodes with this value"
        >
          <Value value={value} limit={longest} />
        </a>
      ) : (
        <Value value={value} limit={longest} />
      )}
    </td>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { hrefWith, type Address } from '../../address/address';
import { NodeName, useShortName } from '../../parts/node-name';
import { RunsStrip } from '../../parts/runs-strip';
import { StatusMark } from '../../parts/status';
import { count, excerpt, valueText, visible } from '../../parts/text';
import { Age } from '../../parts/time';
import { useVirtualRows } from '../../parts/use-virtual-rows';
import type { ListedNode } from '../../service/shapes';

const rowHeight = (): number => (matchMedia('(max-width: 760px)').matches ? 62 : 34);

export function NodeTable({
  nodes,
  total,
  columns,
  sort,
  address,
  selected,
  onSelect,
  onMore,
}: {
  readonly nodes: readonly ListedNode[];
  readonly total: number;
  readonly columns: readonly string[];
  readonly sort: string;
  readonly address: Address;
  readonly selected: readonly string[];
  readonly onSelect: (certname: string) => void;
  readonly onMore: () => void;
}) {
  const shorten = useShortName();
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = useVirtualRows(nodes.length, rowHeight(), () => {
    const table = body.current?.parentElement;
    return table === null || table === undefined ? 260 : table.getBoundingClientRect().top + scrollY;
  });
  const last = rows.items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > nodes.length - 60) onMore();
  }, [last, nodes.length]);
  const width = columns.length + 6;
  return (
    <>
      <div class="scroll">
        <table class="fold list" aria-rowcount={total + 1}>
          <caption class="sr">Nodes that match</caption>
          <colgroup>
            <col class="w-status" />
            <col
              class="mono"
              style={{
                width: widthOf(
                  'Node',
                  nodes.map(({ certname }) => shorten(certname)),
                  32,
                  1,
                ),
              }}
            />
            {columns.map((path) => (
              <col
                key={path}
                style={{
                  width: widthOf(
                    path,
                    nodes.map(({ facts }) => valueText(facts[path] ?? '–')),
                    24,
                  ),
                }}
              />
            ))}
            <col
              style={{
                width: widthOf(
                  'Environment',
                  nodes.map(({ environment }) => environment ?? ''),
                  20,
                ),
              }}
            />
            <col class="w-age" />
            <col class="w-result" />
            <col class="w-runs" />
          </colgroup>
          <thead>
            <tr>
              <Heading name="status" sort={sort} address={address}>
                Status
              </Heading>
              <Heading name="certname" sort={sort} address={address}>
                Node
              </Heading>
              {columns.map((path) => (
                <Heading key={path} name={`fact:${path}`} sort={sort} address={address}>
                  <bdi>{visible(path)}</bdi>
                </Heading>
              ))}
              <Heading name="environment" sort={sort} address={address}>
                Environment
              </Heading>
              <Heading name="report_timestamp" sort={sort} address={address} className="num">
                Last run
              </Heading>
              <th>Result</th>
              <th>Last runs</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.before > 0 && <Gap height={rows.before} width={width} />}
            {rows.items.map(({ index }) => {
              const node = nodes[index]!;
              return (
                <tr
                  key={node.certname}
                  data-row
                  data-certname={node.certname}
                  data-index={index}
                  aria-rowindex={index + 2}
                  class={selected.includes(node.certname) ? 'selected' : undefined}
                  onClick={(event) => {
                    if (event.shiftKey) onSelect(node.certname);
                  }}
                >
                  <td class="status-cell">
                    <StatusMark status={node.status} />
                  </td>
                  <td class="main trunc name-cell">
                    <NodeName name={node.certname} />
                  </td>
                  {columns.map((path) => (
                    <td key={path} class="off trunc">
                      <Cell value={node.facts[path]} />
                    </td>
                  ))}
                  <td class="off trunc">{node.environment !== null && <bdi>{visible(node.environment)}</bdi>}</td>
                  <td class="num nowrap muted age-cell">
                    <Age time={node.report_timestamp} />
                  </td>
                  <td class="nowrap small result-cell">
                    <Result node={node} />
                  </td>
                  <td class="off">
                    <RunsStrip runs={node.runs} />
                  </td>
                </tr>
              );
            })}
            {rows.after > 0 && <Gap height={rows.after} width={width} />}
          </tbody>
        </table>
      </div>
      <footer class="table-foot">
        <span>
          {count(nodes.length)} of {count(total)}
          {nodes.length < total && ', the list goes on as you scroll'}
        </span>
        <span class="keys-line hide" aria-hidden="true">
          <kbd>j</kbd>
          <kbd>k</kbd> move <kbd>↵</kbd> open <kbd>x</kbd> select <kbd>c</kbd> compare
        </span>
      </footer>
    </>
  );
}

/**
 * A fixed width prevents columns from moving while the viewer scrolls. `letter` is the average width of a letter in
 * `ch`.
 */
function widthOf(heading: string, values: readonly string[], most: number, letter = 0.83): string {
  const longest = values.reduce((longest, { length }) => Math.max(longest, length), heading.length + 1);
  return `calc(${Math.min(most, Math.max(6, longest)) * letter}ch + 16px)`;
}

const Gap = ({ height, width }: { readonly height: number; readonly width: number }) => (
  <tr class="gap" aria-hidden="true">
    <td colSpan={width} style={{ height: `${height}px` }} />
  </tr>
);

function Heading({
  name,
  sort,
  address,
  className,
  children,
}: {
  readonly name: string;
  readonly sort: string;
  readonly address: Address;
  readonly className?: string;
  readonly children: preact.ComponentChildren;
}) {
  const isSorted = sort.replace(/^-/, '') === name;
  const isDescending = sort.startsWith('-');
  const next = isSorted
    ? isDescending
      ? name
      : `-${name}`
    : name === 'status' || name === 'report_timestamp'
      ? `-${name}`
      : name;
  return (
    <th class={className} scope="col" aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <a href={hrefWith(address, { sort: next === '-status' ? undefined : next })}>
        {children}
        {isSorted && <span aria-hidden="true">{isDescending ? ' ↓' : ' ↑'}</span>}
      </a>
    </th>
  );
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span class="faint">–</span>;
  return <bdi>{visible(excerpt(valueText(value), 120))}</bdi>;
}

function Result({ node }: { readonly node: ListedNode }) {
  const { status, events } = node;
  if (status === 'unreported') return <span class="muted">no report since</span>;
  if (events === null) return null;
  const parts = [
    [events.failure, 'failed', 'failed'],
    [events.success, 'changed', ''],
    [events.skipped, 'skipped', ''],
    [events.noop, 'would change', ''],
  ] as const;
  const shown = parts.filter(([figure]) => figure > 0).slice(0, 2);
  if (shown.length === 0)
    return status === 'failed' ? (
      <span class="failed">no catalog applied</span>
    ) : (
      <span class="faint">nothing to do</span>
    );
  return (
    <>
      {shown.map(([figure, word, tone], index) => (
        <span key={word}>
          {index > 0 && ', '}
          {tone === '' ? count(figure) : <b class={tone}>{count(figure)}</b>} {word}
        </span>
      ))}
    </>
  );
}

import { hrefTo, hrefWith, type Address } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { Card } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { FindField, useFind } from '../../parts/find-field';
import { Answered, Empty } from '../../parts/states';
import { bytes, counted, countedRows, excerpt, valueText, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import { dotted, type FactLeaf, flatten } from '../../parts/fact-path';

interface Fact {
  readonly name: string;
  readonly value: unknown;
}

const mostRows = 500;

export function FactsTab({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const facts = useRows<Fact>(
    from('facts', ['name', 'value'], ['and', equal('certname', certname), equal('node_state', 'any')], {
      order: ['name'],
    }),
  );
  const find = useFind(address);
  const { words } = find;
  const opened = new Set((address.params.get('open') ?? '').split(',').filter((name) => name !== ''));
  const openWith = (name: string): string => {
    const next = new Set(opened);
    if (!next.delete(name)) next.add(name);
    return hrefWith(address, { open: [...next].join(',') });
  };
  return (
    <Card
      title="Facts"
      note={countedRows(facts.data, 'fact')}
      end={<FindField find={find} label="Find a path or a value" placeholder="Path or value" />}
    >
      <Answered answer={facts} lines={12}>
        {(found) => {
          if (found.length === 0) return <Empty title="The node has sent no facts" />;
          if (words !== '') return <Leaves certname={certname} leaves={matching(found, words)} words={words} />;
          return (
            <table class="facts fold">
              <tbody>
                {found.map(({ name, value }) => {
                  const isTree = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
                  if (!isTree) return <LeafRow key={name} certname={certname} path={[name]} value={value} />;
                  const isOpen = opened.has(name);
                  return (
                    <>
                      <tr key={name} data-row>
                        <td class="path">
                          <a class="tree mono" href={openWith(name)} aria-expanded={isOpen}>
                            <Icon name={isOpen ? 'down' : 'right'} />
                            <bdi>{visible(name)}</bdi>
                          </a>
                        </td>
                        <td colSpan={2} class="muted small trunc">
                          {isOpen ? '' : summaryOf(value)}
                        </td>
                      </tr>
                      {isOpen &&
                        flatten([name], value, mostRows).map(({ path, value }) => (
                          <LeafRow key={path.join('\0')} certname={certname} path={path} value={value} depth={1} />
                        ))}
                    </>
                  );
                })}
              </tbody>
            </table>
          );
        }}
      </Answered>
    </Card>
  );
}

const summaryOf = (value: object): string => {
  const size = Object.keys(value).length;
  const what = Array.isArray(value) ? counted(size, 'element') : counted(size, 'key');
  return `${what} · ${visible(excerpt(JSON.stringify(value).slice(0, 300), 110))}`;
};

function matching(facts: readonly Fact[], words: string): readonly FactLeaf[] {
  const leaves = facts.flatMap(({ name, value }) => flatten([name], value, 20_000));
  return leaves.filter(
    ({ path, value }) =>
      dotted(path).toLowerCase().includes(words) || valueText(value).slice(0, 10_000).toLowerCase().includes(words),
  );
}

function Leaves({
  certname,
  leaves,
  words,
}: {
  readonly certname: string;
  readonly leaves: readonly FactLeaf[];
  readonly words: string;
}) {
  if (leaves.length === 0) return <Empty title={`No path and no value contains “${visible(words)}”`} />;
  return (
    <>
      <table class="facts fold">
        <tbody>
          {leaves.slice(0, mostRows).map(({ path, value }) => (
            <LeafRow key={path.join('\0')} certname={certname} path={path} value={value} />
          ))}
        </tbody>
      </table>
      {leaves.length > mostRows && (
        <p class="in muted small">
          {counted(leaves.length - mostRows, 'further match', 'further matches')}: type more.
        </p>
      )}
    </>
  );
}

function LeafRow({
  certname,
  path,
  value,
  depth = 0,
}: {
  readonly certname: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly depth?: number;
}) {
  const name = dotted(path);
  const canFilter = (typeof value !== 'object' || value === null) && valueText(value).length <= 1000;
  return (
    <tr data-row>
      <td class={`path depth-${depth}`}>
        <a class="mono plain-link" href={hrefTo(['facts', name])}>
          <bdi>{visible(depth > 0 ? dotted(path.slice(1)) : name)}</bdi>
        </a>
      </td>
      <td class="mono small">
        <Value value={value} limit={300} />
      </td>
      <td class="num nowrap act">
        <a class="btn plain tiny" href={hrefTo(['nodes', certname], { path: name })}>
          <Icon name="clock" />
          <span class="hide" aria-hidden="true">
            History
          </span>
          <span class="sr">History of {visible(name)}</span>
        </a>
        {canFilter ? (
          <a class="btn plain tiny" href={hrefTo(['nodes'], filterParams(`fact:${name}`, [value]))}>
            <Icon name="people" />
            <span class="hide">Who else</span>
            <span class="sr">Nodes with this value of {visible(name)}</span>
          </a>
        ) : (
          <span class="small faint">{bytes(valueText(value).length)}</span>
        )}
      </td>
    </tr>
  );
}

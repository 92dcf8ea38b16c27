import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { Card, Choice, PageHead } from '../../parts/card';
import { NodeName, useShortName } from '../../parts/node-name';
import { Empty, Loading, Trouble } from '../../parts/states';
import { counted, valueText, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import { dotted, flatten } from '../../parts/fact-path';
import type { PageProps } from '../page-props';

interface Fact {
  readonly name: string;
  readonly value: unknown;
}
const mostRows = 1000;

/** Shows facts of two nodes side by side, and marks differences. */
export function ComparePage({ address }: PageProps) {
  const a = address.params.get('a') ?? '';
  const b = address.params.get('b') ?? '';
  const isAll = address.params.get('show') === 'all';
  const left = useRows<Fact>(factsOf(a));
  const right = useRows<Fact>(factsOf(b));
  const shorten = useShortName();
  const isReady = a !== '' && b !== '';
  const rows = left.data === undefined || right.data === undefined ? undefined : compare(left.data, right.data);
  const differing = rows?.filter(({ differs }) => differs) ?? [];
  const shown = isAll ? rows : differing;
  return (
    <>
      <PageHead
        title={<h1>Compare</h1>}
        below={
          rows === undefined || !isReady
            ? 'The facts of two nodes, side by side'
            : `${counted(differing.length, 'value')} of ${counted(rows.length, 'value')} ${differing.length === 1 ? 'differs' : 'differ'}`
        }
      />
      <Choose key={`${a} ${b}`} a={a} b={b} address={address} />
      {isReady && (
        <Card
          title="Facts"
          end={
            <Choice
              label="Show"
              chosen={isAll ? 'all' : 'differences'}
              href={(name) => hrefWith(address, { show: name === 'all' ? 'all' : undefined })}
              options={[
                ['differences', 'Differences'],
                ['all', 'All'],
              ]}
            />
          }
        >
          <Trouble answer={left} />
          <Trouble answer={right} />
          {left.data?.length === 0 || right.data?.length === 0 ? (
            <Empty title={`${shorten(left.data?.length === 0 ? a : b)} has sent no facts`} />
          ) : shown === undefined ? (
            <Loading lines={10} />
          ) : shown.length === 0 ? (
            <Empty title="All facts are equal" />
          ) : (
            <>
              <table class="compare fold">
                <thead>
                  <tr>
                    <th>Path</th>
                    <th>
                      <NodeName name={a} />
                    </th>
                    <th>
                      <NodeName name={b} />
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.slice(0, mostRows).map(({ path, one, other, differs }) => (
                    <tr key={path} data-row>
                      <td class="mono small wide">
                        <a class="plain-link" href={hrefTo(['facts', path])}>
                          <bdi>{visible(path)}</bdi>
                        </a>
                      </td>
                      <Side path={path} value={one} tone={differs ? 'del' : ''} />
                      <Side path={path} value={other} tone={differs ? 'add' : ''} />
                    </tr>
                  ))}
                </tbody>
              </table>
              {shown.length > mostRows && (
                <p class="in muted small">{counted(shown.length - mostRows, 'further value')} not shown.</p>
              )}
            </>
          )}
        </Card>
      )}
    </>
  );
}

/**
 * Longer values are shown shortened, with a button that shows the whole value. They are not links, because a link
 * cannot contain a button.
 */
const longest = 200;

function Side({ path, value, tone }: { readonly path: string; readonly value: unknown; readonly tone: string }) {
  return (
    <td class={`mono small ${tone}`}>
      {value === undefined ? (
        <span class="faint">missing</span>
      ) : (typeof value === 'object' && value !== null) || valueText(value).length > longest ? (
        <Value value={value} limit={longest} />
      ) : (
        <a
          class="plain-link"
          href={hrefTo(['nodes'], filterParams(`fact:${path}`, [value]))}
          title="Nodes with this value"
        >
          <Value value={value} limit={longest} />
        </a>
      )}
    </td>
  );
}

const factsOf = (certname: string): string | undefined =>
  certname === ''
    ? undefined
    : from('facts', ['name', 'value'], ['and', equal('certname', certname), equal('node_state', 'any')], {
        order: ['name'],
      });

interface Row {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
  readonly differs: boolean;
}

export function compare(left: readonly Fact[], right: readonly Fact[]): readonly Row[] {
  const leavesOf = (facts: readonly Fact[]): ReadonlyMap<string, unknown> =>
    new Map(
      facts
        .flatMap(({ name, value }) => flatten([name], value, 20_000))
        .map(({ path, value }) => [dotted(path), value]),
    );
  const [ones, others] = [leavesOf(left), leavesOf(right)];
  return [...new Set([...ones.keys(), ...others.keys()])].sort().map((path) => {
    const [one, other] = [ones.get(path), others.get(path)];
    return {
      path,
      one,
      other,
      differs: one === undefined || other === undefined || valueText(one) !== valueText(other),
    };
  });
}

function Choose({ a, b, address }: { readonly a: string; readonly b: string; readonly address: Address }) {
  const [one, setOne] = useState(a);
  const [other, setOther] = useState(b);
  const names = useRows<{ certname: string }>(
    from('nodes', ['certname'], undefined, { order: ['certname'], limit: 2000 }),
  );
  return (
    <form
      class="row wrap choose"
      onSubmit={(event) => {
        event.preventDefault();
        go(hrefWith(address, { a: one.trim(), b: other.trim() }));
      }}
    >
      <datalist id="certnames">
        {(names.data ?? []).map(({ certname }) => (
          <option key={certname} value={certname} />
        ))}
      </datalist>
      <NodeField mark="A" label="First node" name={one} onName={setOne} />
      <button
        type="button"
        class="btn plain"
        aria-label="Exchange the two nodes"
        onClick={() => go(hrefWith(address, { a: b, b: a }))}
      >
        ⇄
      </button>
      <NodeField mark="B" label="Second node" name={other} onName={setOther} />
      <button type="submit" class="btn go" disabled={one.trim() === '' || other.trim() === ''}>
        Compare
      </button>
    </form>
  );
}

interface NodeFieldProps {
  readonly mark: string;
  readonly label: string;
  readonly name: string;
  readonly onName: (name: string) => void;
}

function NodeField({ mark, label, name, onName }: NodeFieldProps) {
  return (
    <label class="field grow">
      <span>{mark}</span>
      <input
        class="mono"
        list="certnames"
        aria-label={label}
        placeholder="certname"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
    </label>
  );
}

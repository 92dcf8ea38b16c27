import type { ComponentChildren } from 'preact';
import { dotted, flatten } from '../../parts/fact-path';
import { Empty, Loading, Trouble } from '../../parts/states';
import { valueText } from '../../parts/text';
import { equal, from, rootQuery } from '../../service/ast';
import { type Answer, useAnswer } from '../../service/use-answer';
import type { DifferenceRow } from './difference-rows';
import { DifferenceTable } from './difference-table';
import type { Side } from './side';

interface Fact {
  readonly name: string;
  readonly value: unknown;
}

export function AllFacts({
  a,
  b,
  heads,
}: {
  readonly a: Side;
  readonly b: Side;
  readonly heads: readonly [ComponentChildren, ComponentChildren];
}) {
  const [left, right] = [useFacts(a), useFacts(b)];
  const isRefused = left.refusal !== undefined || right.refusal !== undefined;
  return (
    <>
      <Trouble answer={left} />
      <Trouble answer={right} />
      {left.data === undefined || right.data === undefined ? (
        !isRefused && <Loading lines={10} />
      ) : left.data.length + right.data.length === 0 ? (
        <Empty title="There are no facts" />
      ) : (
        <DifferenceTable rows={allRows(left.data, right.data)} heads={heads} />
      )}
    </>
  );
}

const useFacts = ({ certname, time }: Side): Answer<readonly Fact[]> =>
  useAnswer<readonly Fact[]>(rootQuery, {
    query: from('facts', ['name', 'value'], ['and', equal('certname', certname), equal('node_state', 'any')], {
      order: ['name'],
    }),
    as_of: time,
  });

function allRows(
  left: readonly Fact[],
  right: readonly Fact[],
): readonly (DifferenceRow & { readonly isEqual: boolean })[] {
  const leavesOf = (facts: readonly Fact[]): ReadonlyMap<string, unknown> =>
    new Map(
      facts
        .flatMap(({ name, value }) => flatten([name], value, 20_000))
        .map(({ path, value }) => [dotted(path), value]),
    );
  const [ones, others] = [leavesOf(left), leavesOf(right)];
  return [...new Set([...ones.keys(), ...others.keys()])].sort().map((name) => {
    const [one, other] = [ones.get(name), others.get(name)];
    const isEqual = one !== undefined && other !== undefined && valueText(one) === valueText(other);
    return { name, page: ['facts', name], fact: name, one, other, isEqual };
  });
}

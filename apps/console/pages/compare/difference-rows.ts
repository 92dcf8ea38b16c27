import { dotted } from '../../parts/fact-path';
import type { EdgeChange, PackageChange, ResourceChange, ValueChange } from '../../service/shapes';
import { memberName } from '../../timeline/entry-words';

/** `one` or `other` is undefined if that side has nothing with this name. */
export interface DifferenceRow {
  readonly name: string;
  /** Path segments of the console page about the thing with this name. */
  readonly page?: readonly string[];
  /** Path of the fact if the row is about a fact. */
  readonly fact?: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Text that replaces the values of a thing, such as a resource, that exists on only one side. */
export const present = 'present';

const factRow = (change: ValueChange): DifferenceRow => {
  const name = dotted(change.path);
  return { name, page: ['facts', name], fact: name, one: change.old, other: change.new };
};

export const factRows = (changes: readonly ValueChange[]): readonly DifferenceRow[] => changes.map(factRow);

export const resourceRows = (changes: readonly ResourceChange[]): readonly DifferenceRow[] =>
  changes.flatMap(({ change, type, title, changes: members = [] }): readonly DifferenceRow[] => {
    const [name, page] = [`${type}[${title}]`, ['resources', type, title]];
    if (change !== 'changed') return [only(change, { name, page })];
    return members.map(({ path, old, new: next }) => ({
      name: `${name} ${memberName(path)}`,
      page,
      one: old,
      other: next,
    }));
  });

export const edgeRows = (changes: readonly EdgeChange[]): readonly DifferenceRow[] =>
  changes.map(({ change, relationship, source_type, source_title, target_type, target_title }) =>
    only(change, {
      name: `${source_type}[${source_title}] ${relationship} ${target_type}[${target_title}]`,
      page: ['resources', source_type, source_title],
    }),
  );

export const packageRows = (changes: readonly PackageChange[]): readonly DifferenceRow[] =>
  changes.map(({ name, old, new: next }) => ({
    name,
    page: ['packages', name],
    one: old.length === 0 ? undefined : old.join(', '),
    other: next.length === 0 ? undefined : next.join(', '),
  }));

const only = (change: ValueChange['change'], row: Pick<DifferenceRow, 'name' | 'page'>): DifferenceRow => ({
  ...row,
  one: change === 'removed' ? present : undefined,
  other: change === 'added' ? present : undefined,
});

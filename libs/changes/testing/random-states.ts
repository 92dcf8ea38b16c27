/** Random states of nodes, which differ in a few values. */
import fc from 'fast-check';
import { edge, resource } from '../../../test/support/documents';

export interface State {
  readonly facts: Record<string, unknown>;
  readonly packages: readonly (readonly [string, string, string])[];
  readonly resources: readonly ReturnType<typeof resource>[];
  readonly edges: readonly ReturnType<typeof edge>[];
}

const name = fc.constantFrom('a', 'b', 'c', 'a/b', '~0', 'ü.x', '');
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 1, 1.5, '', 'x', 'y'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const facts = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~'), value, { maxKeys: 4 });
const packages = fc.uniqueArray(
  fc.tuple(fc.constantFrom('p', 'q/r'), fc.constantFrom('1', '2', '10'), fc.constantFrom('apt', 'gem')),
  { maxLength: 5, selector: (one) => one.join(' ') },
);
const resources = fc
  .uniqueArray(fc.tuple(fc.constantFrom('/a', '/b', 'x]y'), fc.constantFrom('File', 'Exec'), value), {
    maxLength: 4,
    selector: ([title, type]) => `${type}[${title}]`,
  })
  // Edges need resources, so the last two resources always exist.
  .map((all) => [
    ...all.map(([title, type, parameter]) => resource(title, { type, parameters: { parameter } })),
    resource('/1'),
    resource('/2'),
  ]);
const edges = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('/1', '/2'), fc.constantFrom('/1', '/2'), fc.constantFrom('before', 'notifies')),
    { maxLength: 4, selector: (one) => one.join(' ') },
  )
  .map((all) => all.map(([from, to, kind]) => edge(from, to, kind)));

export const randomState: fc.Arbitrary<State> = fc.record({ facts, packages, resources, edges });

/** Returns a state that takes each part from either `old` or `next`. This keeps many documents unchanged. */
export const mixed = (old: State, next: State, changes: number): State => ({
  facts: changes & 1 ? next.facts : old.facts,
  packages: changes & 2 ? next.packages : old.packages,
  resources: changes & 4 ? next.resources : old.resources,
  edges: changes & 8 ? next.edges : old.edges,
});

/** Compares the drift that the service finds in random fleets with the drift that a simple model finds. */
import fc from 'fast-check';
import { catalog, factset, resource } from '../../../test/support/documents';
import { type ChangesBench, openChangesBench } from '../testing/changes-bench';

let bench: ChangesBench;
beforeAll(async () => {
  bench = await openChangesBench();
});
afterAll(() => bench.close());

/** The items of a machine. The key is the JSON of the item. */
type Items = Readonly<Record<string, unknown>>;
interface Machine {
  readonly certname: string;
  readonly role: string;
  readonly facts: Items;
  readonly resources: Items;
  readonly packages: Items;
}

// Most machines have the usual value, some have an odd value, and some have no value.
const choice = fc.constantFrom('usual', 'usual', 'usual', 'usual', 'usual', 'usual', 'odd', 'odder', undefined);
const items = (names: readonly string[]): fc.Arbitrary<Items> =>
  fc
    .tuple(...names.map(() => choice))
    .map((values) =>
      Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== undefined)),
    );
const machines = fc.array(
  fc.record({
    role: fc.constantFrom('web', 'web', 'db', 'rare'),
    facts: items(['a', 'b', 'c', 'd']),
    resources: items(['/a', '/b', '/c']),
    packages: items(['p', 'q', 'r']),
  }),
  { minLength: 40, maxLength: 40 },
);

interface Differing {
  readonly value?: unknown;
  readonly nodes: number;
  readonly others: Readonly<Record<string, readonly string[]>>;
  readonly missing: readonly string[];
}

/** Returns by item how the machines of a group differ. */
function driftOf(group: readonly Machine[], part: 'facts' | 'resources' | 'packages', majority: number) {
  const names = new Set(group.flatMap((machine) => Object.keys(machine[part])));
  const found: Record<string, Differing> = {};
  for (const name of names) {
    const by: Record<string, string[]> = {};
    for (const machine of group)
      (by[String((machine[part][name] as string | undefined) ?? '')] ??= []).push(machine.certname);
    const { '': missing = [], ...values } = by;
    const present = group.length - missing.length;
    if (present >= 3 && Object.keys(values).length * 2 > present) continue;
    const isMost = (count: number): boolean => count * 100 >= majority * group.length;
    const [best] = Object.entries(values).filter(([, nodes]) => isMost(nodes.length));
    if (best === undefined && !isMost(missing.length)) continue;
    const nodes = best?.[1].length ?? missing.length;
    if (nodes === group.length) continue;
    const others = Object.fromEntries(Object.entries(values).filter(([value]) => value !== best?.[0]));
    found[name] = { ...(best && { value: best[0] }), nodes, others, missing: best === undefined ? [] : missing };
  }
  return found;
}

interface Answered {
  readonly path?: readonly string[];
  readonly title?: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly nodes: number;
  readonly others: readonly {
    readonly value?: unknown;
    readonly changes?: readonly { readonly new: string }[];
    readonly certnames: readonly string[];
  }[];
  readonly missing: { readonly certnames: readonly string[] } | null;
}
const valueOf = (value: unknown): string =>
  typeof value === 'string' ? value : (value as { readonly parameter: string }).parameter;
const answered = (list: readonly Answered[]): Record<string, Differing> =>
  Object.fromEntries(
    list.map(({ path, title, name, value, nodes, others, missing }) => [
      path?.[0] ?? title ?? name ?? '',
      {
        ...(value !== undefined && { value: valueOf(value) }),
        nodes,
        others: Object.fromEntries(
          others.map((other) => [other.changes?.[0]?.new ?? valueOf(other.value), other.certnames]),
        ),
        missing: missing?.certnames ?? [],
      },
    ]),
  );

it.each([55, 70, 80, 100])('finds what the model finds, with a majority of %d %%', async (majority) => {
  const [random] = fc.sample(machines, { numRuns: 1, seed: majority });
  const fleet = random!.map((machine, index) => ({
    ...machine,
    role: `${machine.role}${majority}`,
    certname: `m${majority}-${String(index).padStart(2, '0')}`,
  }));
  for (const { certname, role, facts, resources, packages } of fleet) {
    await bench.projection.submit('replace facts', certname, {
      payload: factset(
        certname,
        { role, ...facts },
        {
          package_inventory: Object.entries(packages).map(([name, version]) => [name, version, 'apt']),
        },
      ),
    });
    const all = Object.entries(resources).map(([title, parameter]) => resource(title, { parameters: { parameter } }));
    await bench.projection.submit('replace catalog', certname, { payload: catalog(certname, all, []) });
  }
  await bench.projection.settle();
  expect(bench.projection.deadLetters).toEqual([]);
  const { groups } = await bench.json<{
    groups: readonly (Record<'facts' | 'resources' | 'packages', { readonly differing: readonly Answered[] }> & {
      readonly value: string;
      readonly nodes: number;
    })[];
  }>('drift', { by: 'role', majority: String(majority), query: ['~', 'certname', `^m${majority}-`] });
  const differing = groups.flatMap(({ facts, resources, packages }) =>
    [facts, resources, packages].flatMap((part) => part.differing),
  );
  // With a majority of 100 %, an item counts only if all nodes agree on it, so no item differs.
  expect(differing.length > 0).toBe(majority < 100);
  for (const group of groups) {
    const members = fleet.filter(({ role }) => role === group.value);
    expect(group.nodes).toBe(members.length);
    for (const part of ['facts', 'resources', 'packages'] as const)
      expect([part, answered(group[part].differing)]).toEqual([part, driftOf(members, part, majority)]);
  }
  expect(groups.length).toBe(new Set(fleet.map(({ role }) => role)).size);
});

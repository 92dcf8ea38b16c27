/**
 * A permanent problem of a machine: its runs `fails` in the same class each time, its catalog is `not-compiled`, it is
 * `silent` (sends nothing), or it is `without-facts` (sends only catalogs and reports).
 */
export type FleetTrouble = 'fails' | 'not-compiled' | 'silent' | 'without-facts';

/** Which nodes of every fifty have a problem. The numbers are low, so that small fleets include some of them. */
const TROUBLED: ReadonlyMap<number, FleetTrouble> = new Map([
  [3, 'fails'],
  [5, 'not-compiled'],
  [7, 'silent'],
  [9, 'without-facts'],
]);
const EVERY = 50;

/** The run in which a problem begins. Before it, the machine is like the others. */
const BEGINS: Readonly<Record<FleetTrouble, number>> = {
  fails: 1,
  'not-compiled': 1,
  silent: 3,
  'without-facts': 3,
};

export function troubleOf(index: number): FleetTrouble | undefined {
  return TROUBLED.get(index % EVERY);
}

/** Returns whether a machine has this problem in the run. */
export function hasTrouble(
  node: { readonly trouble: FleetTrouble | undefined },
  trouble: FleetTrouble,
  run: number,
): boolean {
  return node.trouble === trouble && run >= BEGINS[trouble];
}

/** Returns the documents of a run that a machine submits. */
export function sentDocuments(
  node: { readonly trouble: FleetTrouble | undefined },
  run: number,
): { readonly facts: boolean; readonly catalog: boolean; readonly report: boolean } {
  const report = !hasTrouble(node, 'silent', run);
  return {
    facts: report && !hasTrouble(node, 'without-facts', run),
    catalog: report && !hasTrouble(node, 'not-compiled', run),
    report,
  };
}

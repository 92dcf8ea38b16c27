/**
 * `fails` means that each run fails in the same class. `not-compiled` means that the machine gets no catalog. A
 * `silent` machine submits nothing, and a machine `without-facts` submits only catalogs and reports.
 */
export type FleetTrouble = 'fails' | 'not-compiled' | 'silent' | 'without-facts';

/**
 * Maps the number of a machine within its group of 50 machines to its trouble. The numbers are low, so that small
 * fleets have troubled machines, too.
 */
const TROUBLED: ReadonlyMap<number, FleetTrouble> = new Map([
  [3, 'fails'],
  [5, 'not-compiled'],
  [7, 'silent'],
  [9, 'without-facts'],
]);
const EVERY = 50;
/** Numbers of more machines within the group, which fail only if the failures begin during the history of the fleet. */
const OUTAGE: ReadonlySet<number> = new Set([13, 21, 30, 42]);

/** Number of the run in which each trouble begins. */
const BEGINS: Readonly<Record<FleetTrouble, number>> = {
  fails: 1,
  'not-compiled': 1,
  silent: 3,
  'without-facts': 3,
};

export const beginOf = (trouble: FleetTrouble, failsFrom = BEGINS.fails): number =>
  trouble === 'fails' ? failsFrom : BEGINS[trouble];

interface Troubled {
  readonly trouble: FleetTrouble | undefined;
  readonly troubleFrom: number;
}

export function troubleOf(index: number, isOutage = false): FleetTrouble | undefined {
  const remainder = index % EVERY;
  return TROUBLED.get(remainder) ?? (isOutage && OUTAGE.has(remainder) ? 'fails' : undefined);
}

export function hasTrouble(node: Troubled, trouble: FleetTrouble, run: number): boolean {
  return node.trouble === trouble && run >= node.troubleFrom;
}

export function sentDocuments(
  node: Troubled,
  run: number,
): { readonly facts: boolean; readonly catalog: boolean; readonly report: boolean } {
  const report = !hasTrouble(node, 'silent', run);
  return {
    facts: report && !hasTrouble(node, 'without-facts', run),
    catalog: report && !hasTrouble(node, 'not-compiled', run),
    report,
  };
}

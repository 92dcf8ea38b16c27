import { COMPILERS, ENVIRONMENTS, HARDWARE, SITES, SYSTEMS } from './landscape';
import type { FleetHardware, FleetRelease, FleetSite, FleetSystem } from './landscape';
import { ROLES } from './modules';
import type { FleetRole } from './modules';
import { Random } from './random';
import { beginOf, troubleOf } from './trouble';
import type { FleetTrouble } from './trouble';

export interface FleetNode {
  readonly index: number;
  readonly certname: string;
  readonly hostname: string;
  readonly domain: string;
  readonly role: FleetRole;
  readonly site: FleetSite;
  readonly system: FleetSystem;
  readonly release: FleetRelease;
  readonly hardware: FleetHardware;
  readonly environment: string;
  readonly producer: string;
  readonly address: string;
  readonly address6: string;
  readonly mac: string;
  readonly machineId: string;
  readonly rack: string;
  readonly noop: boolean;
  /** Milliseconds from the start of each interval to the machine's run in this interval. */
  readonly splayMs: number;
  /** Seconds by which the machine's boot times are shifted, so that machines do not boot at the same time. */
  readonly bootPhase: number;
  /** Milliseconds. Negative if the clock is behind. 0 for most machines. */
  readonly clockAheadMs: number;
  readonly trouble: FleetTrouble | undefined;
  /** Number of the run in which the trouble begins. */
  readonly troubleFrom: number;
}

const MOST_DRIFT_MS = 45_000;

export const RUN_INTERVAL_MS = 1_800_000;

/** Each seed has its own domain, so that machines in two fleets never have the same name. */
export function fleetDomain(seed: string): string {
  return `f${Random.of(seed, 'domain').hex(6)}.example.net`;
}

/** `index` begins at 0. Machines that fail do so from run `failsFrom` on. */
export function describeNode(seed: string, index: number, failsFrom?: number): FleetNode {
  const random = Random.of(seed, 'node', index);
  const condition = Random.of(seed, 'condition', index);
  const role = weighted(random, ROLES);
  const site = weighted(random, SITES);
  const domain = `${site.name}.${fleetDomain(seed)}`;
  const hostname = `${role.name}-${String(index).padStart(4, '0')}`;
  const octets = [site.network + ((index >> 16) & 15), (index >> 8) & 255, index & 255];
  const mac = random.hex(10).match(/../g) ?? [];
  const system = weighted(random, SYSTEMS);
  const trouble = troubleOf(index, failsFrom !== undefined);
  return {
    index,
    certname: `${hostname}.${domain}`,
    hostname,
    domain,
    role,
    site,
    system,
    release: weighted(condition, system.releases),
    hardware: weighted(random, HARDWARE),
    environment: weighted(random, ENVIRONMENTS).name,
    producer: `compiler-${1 + (index % COMPILERS)}.${fleetDomain(seed)}`,
    address: `10.${octets.join('.')}`,
    address6: `fd20:${site.network.toString(16)}::${octets.map((part) => part.toString(16)).join(':')}`,
    mac: `52:${mac.join(':')}`,
    machineId: random.uuid(),
    rack: `${random.pick(['a', 'b', 'c', 'd'])}${random.between(1, 24)}`,
    noop: random.chance(0.02) && trouble === undefined,
    // The limits keep all times of a run within its interval, whatever the error of the machine's clock.
    splayMs: random.between(MOST_DRIFT_MS, RUN_INTERVAL_MS - 240_000 - MOST_DRIFT_MS),
    bootPhase: random.between(0, 9_000_000),
    clockAheadMs: condition.chance(0.1) ? condition.between(-MOST_DRIFT_MS, MOST_DRIFT_MS) : 0,
    trouble,
    troubleFrom: trouble === undefined ? 0 : beginOf(trouble, failsFrom),
  };
}

function weighted<T extends { readonly share: number }>(random: Random, items: readonly T[]): T {
  let left = random.fraction() * items.reduce((sum, item) => sum + item.share, 0);
  for (const item of items) {
    left -= item.share;
    if (left < 0) return item;
  }
  return items[items.length - 1] as T;
}

import { RUN_INTERVAL_MS } from './node';
import type { FleetNode } from './node';
import { Random } from './random';

/** Strings with times are in ISO 8601 in UTC with milliseconds. */
export interface RunIdentity {
  readonly transactionUuid: string;
  readonly catalogUuid: string;
  /** Time of the compilation in seconds since 1970, as a string. */
  readonly configurationVersion: string;
  readonly codeId: string;
  readonly jobId: string | null;
  readonly startedAt: number;
  readonly factsTime: string;
  readonly catalogTime: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly reportTime: string;
  /** Seconds. */
  readonly duration: number;
}

/** `run` begins at 0. `fleetStart` is the start of run 0 in milliseconds since 1970. */
export function runIdentity(seed: string, node: FleetNode, run: number, fleetStart: number): RunIdentity {
  const random = Random.of(seed, 'run', node.index, run);
  const start = fleetStart + run * RUN_INTERVAL_MS + node.splayMs + node.clockAheadMs + random.between(0, 20_000);
  const facts = start + random.between(900, 3500);
  const catalog = facts + random.between(1500, 7000);
  const end = catalog + random.between(9_000, run === 0 ? 160_000 : 45_000);
  return {
    transactionUuid: random.uuid(),
    catalogUuid: random.uuid(),
    configurationVersion: String(Math.floor(catalog / 1000)),
    codeId: Random.of(seed, 'code', node.environment, Math.floor(run / 6)).hex(40),
    jobId: random.chance(0.01) ? String(random.between(1, 90_000)) : null,
    startedAt: start,
    factsTime: iso(facts),
    catalogTime: iso(catalog),
    startTime: iso(start),
    endTime: iso(end),
    reportTime: iso(end + random.between(200, 1800)),
    duration: (end - start) / 1000,
  };
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

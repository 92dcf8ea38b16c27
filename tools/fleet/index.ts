export { Fleet } from './fleet';
export type { FleetDocument, NodeRun } from './fleet';
export { RUN_INTERVAL_MS, fleetDomain } from './node';
export type { FleetNode } from './node';
export type { Layout } from './json-writer';
export type { RunOutcome } from './run-outcome';

export type { DeadLetter } from './dead-letters';
export { nodesToExpire, nodesToPurge, nodesWithReportsBefore } from './lifecycle/candidates';
export { Projector, type ProjectorOptions } from './projector';
export { projectionVersion, readTables } from './schema/read-tables';

export type { DeadLetter } from './dead-letters';
export { Projector, type ProjectorOptions } from './projector';
export { projectionVersion, readTables } from './schema/read-tables';

export { appliedPositions, firstRejection, type Rejection } from './applied';
export { arrayLiteral, isoTime } from './sql-text';
export { serverFault, serverQuery, type ServerRow } from './check-server';
export { connectedServices } from './connected-services';
export { EmbeddedPostgres } from './embedded/embedded-postgres';
export { maxWalBytes } from './embedded/server-settings';
export { isRunning, ownMark, type ProcessMark } from './embedded/processes';
export { Database, type DatabaseOptions } from './database';
export { databaseIdentity } from './database-identity';
export { readDatabaseSize } from './database-size';
export {
  generationChannel,
  Generations,
  type Generation,
  type GenerationDefinition,
  type GenerationState,
  type ListedGeneration,
} from './generations';
export { tryWithLock } from './try-with-lock';
export type { PoolCounts, PoolObserver } from './pool-observer';
export { liveTablesQuery } from './live-tables';
export { releaseLog, takeLogForKeeping, takeLogForTruncation } from './log-kept';
export { withMaintenanceLock } from './maintenance-lock';
export { controlVersion, migrateControlTables } from './migrate';
export { moveHint } from './unreleased';
export { type AwaitedPosition, PositionWaits, type WaitOptions, type WaitOutcome } from './position-waits';
export { advancePositions, positionsOf, type StoredPosition } from './positions';
export { orAborted, type ReadOptions, type ReadTransaction } from './read-transaction';
export {
  breaksConnection,
  databaseErrorCode,
  isLockTimeout,
  isOutOfOrder,
  isRetriable,
  mayFitInSmallerPieces,
} from './retriable';
export type { OwnSession, Session } from './session';
export { ControlState } from './control-state';
export {
  beginRestore,
  clearUnfinishedRestore,
  endRestore,
  refuseUnfinishedRestore,
  requireEmpty,
} from './restore-mark';
export { holdSharedRows, raiseSharedEpoch, takeSharedRows } from './shared-rows';
export { statement, type Sql } from './statement';
export { withoutTimeouts } from './untimed';

export { BatchMemory } from './batch-memory';
export { type BatchStep, batchSteps } from './batch-steps';
export { collectSharedRows } from './collection/collect-shared-rows';
export type { DeadLetter } from './dead-letters';
export {
  DeadLetterStore,
  type LetterFilter,
  type LetterSummary,
  type WaitingLetter,
} from './dead-letters/dead-letter-store';
export { purgeOldLetters } from './dead-letters/forget-letters';
export { countWaitingLetters, type WaitingLetters } from './dead-letters/waiting-letters';
export { key64 } from './keys';
export { letterName, readLetterName, retryHeader } from './dead-letters/letter-name';
export { type AgeCutoffs, type DueChanges, findDue } from './maintenance/due';
export { partitionOfNode } from './maintenance/nodes-of';
export { isLeft } from './maintenance/removed-reports';
export { deleteRemovedRows, type Removed, type RemoveOptions } from './maintenance/delete-removed-rows';
export { type Population, readPopulation } from './population';
export { Projector } from './projector';
export type { RecordOutcome } from './record-outcomes';
export type { RecoveryPlan } from './projector/recovery-plan';
export { pauseBeforeRetry } from './projector/pause-before-retry';
export { aborted, runTogether } from './projector/run-together';
export type { ProjectorOptions } from './projector/projector-options';
export { compareGenerations, type Comparison, type Difference } from './replay/compare-generations';
export { copyLog, type CopyOutcome } from './replay/copy-log';
export { fillRestored } from './replay/fill-restored';
export { dropOthers, rebuild, type RebuildOptions, type RebuildOutcome, rollback } from './replay/rebuild';
export { recordsUntil } from './replay/records-until';
export { recordsBetween, replayTo, stopIfAsked } from './replay/replay';
export type { ReplayContext, ReplayProgress } from './replay/replay-context';
export { rebuildProgress, type RebuildProgress } from './replay/rebuild-progress';
export type { ReplayHandling, ReplayShare, ReplayThreads } from './replay/replay-threads';
export { lastSnapshotAt, snapshot, snapshotTails, type SnapshotOutcome } from './replay/snapshot';
export { verify, type Verdict } from './replay/verify';
export { type PastPosition, withTablesAt } from './replay/tables-at';
export type { GivenDocument } from './stored/stored-check';
export { StoredDocuments } from './stored/stored-documents';
export { deletePast } from './history/delete-past';
export { keepPast } from './history/keep-past';
export { newTables } from './history/new-tables';
export { deletionsKeptMs } from './timeline/maintenance-entries';
export { readVolatileNames } from './timeline/volatile-facts';
export { hasPast } from './schema/past';
export { documentTables, projectionVersion, readTables } from './schema/read-tables';
export { sharedTables, type SharedTableName } from './schema/shared-tables';

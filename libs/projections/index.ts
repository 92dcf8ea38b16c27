export type { DeadLetter } from './dead-letters';
export {
  DeadLetterOffice,
  type LetterFilter,
  type LetterPayload,
  type LetterState,
  type LetterSummary,
  type WaitingLetter,
} from './dead-letters/dead-letter-office';
export { DiscardedFiles, type DiscardedFilesOptions } from './dead-letters/discarded-files';
export { letterName, readLetterName, retryHeader } from './dead-letters/letter-name';
export { nodesToExpire, nodesToPurge, nodesWithReportsBefore } from './lifecycle/candidates';
export { Projector, type ProjectorOptions } from './projector';
export { projectionVersion, readTables } from './schema/read-tables';

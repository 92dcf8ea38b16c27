export { inBatches } from './batches';
export {
  CommandLog,
  type LogExtent,
  type LogReader,
  type PreparedBase,
  type ReaderOptions,
  type ReadLimits,
} from './command-log';
export { divideDocument } from './divide-document';
export type { DividedDocument, FindSections, KnownEnd, LeftOutSection, RecordParts, Section } from './document-parts';
export type { SplitPayload } from './embedded/pieces/split-payload';
export { EmbeddedCommandLog, type EmbeddedCommandLogOptions } from './embedded/embedded-command-log';
export { type SplitDocument, Splitter, type SplitTask } from './embedded/pieces/splitter';
export { embeddedLogId } from './embedded/embedded-log-id';
export { embeddedLogUse, type LogUse } from './embedded/embedded-log-use';
export { embeddedLogSize } from './embedded/embedded-log-size';
export { countWaitingCommands } from './embedded/waiting-commands';
export { KafkaCommandLog, type KafkaCommandLogOptions } from './kafka/kafka-command-log';
export type { KafkaConnection } from './kafka/kafka-connection';
export type { LogTrouble } from './kafka/trouble-observer';
export type { LogContent } from './log-content';
export { nameInPartition, partitionOf } from './partition';
export { PartitionFollower } from './partition-follower';
export { restorePayload, storePayload, type StoredPayload } from './payload-storage';
export { noRecord, type RecordLookUp } from './record-look-up';
export { offsetAfter, wholeRecord } from './record';
export { wholeDocument, wholeSection } from './whole-document';
export type { LogIdentity, LogRecord, NewRecord, PayloadEncoding, Position } from './record';

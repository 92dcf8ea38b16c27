export {
  CommandLog,
  type LogExtent,
  type LogFollower,
  type LogReader,
  type PreparedBase,
  type ReadLimits,
  type StartOf,
} from './command-log';
export { EmbeddedCommandLog, type EmbeddedCommandLogOptions } from './embedded/embedded-command-log';
export { embeddedLogId } from './embedded/embedded-log-id';
export { embeddedLogSize } from './embedded/embedded-log-size';
export { KafkaCommandLog, type KafkaCommandLogOptions } from './kafka/kafka-command-log';
export type { KafkaConnection } from './kafka/kafka-connection';
export type { LogTrouble } from './kafka/trouble-watch';
export { MemoryCommandLog } from './memory/memory-command-log';
export type { LogContent } from './log-content';
export { nameInPartition, partitionOf } from './partition';
export { restorePayload, storePayload, type StoredPayload } from './payload-storage';
export type { RecordLookUp } from './record-look-up';
export { offsetAfter } from './record';
export type { LogIdentity, LogRecord, NewRecord, PayloadEncoding, Position } from './record';

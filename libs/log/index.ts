export { CommandLog, type LogReader, type ReadLimits } from './command-log';
export { partitionOf } from './partition';
export type { LogIdentity, LogRecord, NewRecord, PayloadEncoding, Position } from './record';

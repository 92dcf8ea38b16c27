export { CommandLog, type LogReader, type ReadLimits } from './command-log';
export { EmbeddedCommandLog, type EmbeddedCommandLogOptions } from './embedded/embedded-command-log';
export { MemoryCommandLog, type MemoryCommandLogOptions } from './memory/memory-command-log';
export { partitionOf } from './partition';
export type { LogIdentity, LogRecord, NewRecord, PayloadEncoding, Position } from './record';

/** Gives the records of planned entries, in the order of the plan. */
import type { LogRecord, Position } from '#log';

/** What is needed of a record to write its document. */
export type StoredCommand = Pick<LogRecord, 'command' | 'version' | 'certname' | 'receivedAt' | 'encoding' | 'payload'>;

export interface RecordSource {
  /**
   * The records at the first of these places, one at least. Fault `log.no-record` (missing) where one of them is not there.
   */
  read(positions: readonly Position[]): Promise<readonly StoredCommand[]>;
  close(): Promise<void>;
}

/** Payload bytes that are held at once, as they are stored: compressed ones are many times as long when they are read. */
export const readBytes = 1 << 20;

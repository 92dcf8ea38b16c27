/** Reads the records of planned entries, in the order of the plan. */
import type { LogRecord, Position } from '#log';

/** The members of a record from which its document is written. */
export type StoredCommand = Pick<LogRecord, 'command' | 'version' | 'certname' | 'receivedAt' | 'encoding' | 'payload'>;

export interface RecordSource {
  /**
   * Returns the records at the first of these positions, at least one. Fault `log.no-record` (missing) if a position has
   * no record.
   */
  read(positions: readonly Position[]): Promise<readonly StoredCommand[]>;
  close(): Promise<void>;
}

/** Limit of stored payload bytes in memory. Payloads grow many times when they are inflated. */
export const readBytes = 1 << 20;

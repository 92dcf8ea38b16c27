import type { LogRecord, Position } from '#log';

export type StoredCommand = Pick<LogRecord, 'command' | 'version' | 'certname' | 'receivedAt' | 'encoding' | 'payload'>;

export interface RecordSource {
  /**
   * Returns the records at the first positions of the list: at least one record, but not necessarily all of them.
   * Throws `log.no-record` if a position has no record.
   */
  read(positions: readonly Position[]): Promise<readonly StoredCommand[]>;
  close(): Promise<void>;
}

/** Limit on the stored payload bytes in memory. Inflated payloads take many times more. */
export const readBytes = 1 << 20;

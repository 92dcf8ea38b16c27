import { Fault } from '#fault';
import type { LogRecord, Position } from './record';

/**
 * Reads the records at `positions`, in this order. Stops before the payloads exceed `maxBytes`, but returns at least
 * one record. Throws `log.no-record`.
 */
export type RecordLookUp = (positions: readonly Position[], maxBytes: number) => Promise<LogRecord[]>;

export const noRecord = ({ partition, offset }: Position): Fault =>
  new Fault('missing', 'log.no-record', `the log has no record at ${partition}-${offset}`, {
    hint: 'Records were removed from the log, or the read tables were made from another one: see `nodeledger verify`.',
  });

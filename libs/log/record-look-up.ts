import { Fault } from '#fault';
import type { LogRecord, Position } from './record';

/**
 * Takes places of records; gives the records of the first of them, in the order asked for: as many as have `maxBytes` of
 * payload together, but one at least. Fault `log.no-record` (missing) where a place holds none (any more).
 */
export type RecordLookUp = (positions: readonly Position[], maxBytes: number) => Promise<LogRecord[]>;

export const noRecord = ({ partition, offset }: Position): Fault =>
  new Fault('missing', 'log.no-record', `the log has no record at ${partition}-${offset}`, {
    hint: 'Records were removed from the log, or the read tables were made from another one: see `nodeledger verify`.',
  });

import { Fault } from '#fault';
import type { LogRecord, Position } from './record';

/**
 * Returns the records at the first positions, in order: as many records as fit into `maxBytes` of payload, but at least
 * one. Throws `log.no-record` (missing) if there is no record at a position.
 */
export type RecordLookUp = (positions: readonly Position[], maxBytes: number) => Promise<LogRecord[]>;

export const noRecord = ({ partition, offset }: Position): Fault =>
  new Fault('missing', 'log.no-record', `the log has no record at ${partition}-${offset}`, {
    hint: 'Records were removed from the log, or the read tables were made from another one: see `nodeledger verify`.',
  });

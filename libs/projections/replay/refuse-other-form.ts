import type { Generation } from '#database';
import { Fault } from '#fault';
import { projectionVersion } from '../schema/read-tables';

/** Throws `replay.projection-version` if this program makes another projection version. */
export function refuseOtherForm({ schema, projectionVersion: theirs }: Generation, hint: string): void {
  if (theirs === projectionVersion) return;
  throw new Fault(
    'conflict',
    'replay.projection-version',
    `the read tables (${schema}) have form ${theirs}, this program reads and writes form ${projectionVersion}`,
    { hint },
  );
}

import type { Database } from '#database';
import { Fault } from '#fault';
import { measureClocks, type ClockReading } from './measure-clocks';

export const maxClockSkewMs = 60_000;

export interface ClockGuardOptions {
  readonly now?: () => number;
  readonly onCheck?: (fault: Fault | undefined) => void;
}

/**
 * Checks that the clock of this process agrees with the clock of the database. Every deletion by age needs this check,
 * because with a wrong clock it could delete current data.
 */
export class ClockGuard {
  constructor(
    private readonly db: Database,
    private readonly options: ClockGuardOptions = {},
  ) {}

  /**
   * Returns the time of the process. Throws `admin.clock-skew` if the clocks differ too much, and `admin.clock-unknown`
   * if the difference cannot be measured.
   */
  async agreedTime(): Promise<number> {
    const { fault, now } = await this.check();
    if (fault !== undefined) throw fault;
    return now;
  }

  async check(): Promise<{ readonly fault: Fault | undefined; readonly now: number }> {
    const now = this.options.now ?? Date.now;
    // All attempts use one connection, so that waiting for a connection does not lengthen a round trip.
    const reading = await this.db.transaction(async (session) =>
      measureClocks({
        now,
        elapsed: () => performance.now(),
        askDatabase: async () => {
          const [row] = await session.query<{ ms: number }>({
            text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms',
            values: [],
          });
          return (row as { ms: number }).ms;
        },
      }),
    );
    const fault = faultOf(reading);
    // If the difference could not be measured, the result of the previous check stays valid.
    if (fault?.kind !== 'busy') this.options.onCheck?.(fault);
    return { fault, now: now() };
  }
}

function faultOf({ processTime, databaseTime, aheadMs, uncertainMs }: ClockReading): Fault | undefined {
  if (Math.abs(aheadMs) - uncertainMs > maxClockSkewMs) {
    const apart = `${Math.round(Math.abs(aheadMs) / 1_000)} s`;
    return new Fault(
      'conflict',
      'admin.clock-skew',
      `The clock of this process says ${isoTime(processTime)}, the clock of the database ${isoTime(databaseTime)}: they are ${apart} apart, and ${maxClockSkewMs / 1_000} s are allowed. Nothing is cleaned, because cleaning removes what the clock says is old.`,
      { hint: clockHint },
    );
  }
  if (uncertainMs > maxClockSkewMs) {
    return new Fault(
      'busy',
      'admin.clock-unknown',
      `The database took ${Math.round((2 * uncertainMs) / 1_000)} s to return its time, so the clocks cannot be compared. Nothing is cleaned.`,
    );
  }
  return undefined;
}

const clockHint =
  'Correct the clocks of both machines, for example with NTP. Then cleaning continues; give a refused command again.';

const isoTime = (ms: number): string => new Date(ms).toISOString();

import type { Database } from '#database';
import { Fault } from '#fault';
import type { LogRecord, Position } from '#log';
import { readLetterName, retryHeader } from './letter-name';

const code = 'projections.fatal-record';

/** Returns the fault for a record that ended the projector twice. `reason` is the cause, such as `out of memory`. */
export const fatalRecord = (reason?: string): Fault =>
  new Fault(
    'broken',
    code,
    `The projector ended abnormally twice while it applied this command${reason === undefined ? '' : ` (${reason})`}.`,
    { hint: 'Retry the letter when the cause is fixed.' },
  );

interface FatalLetter {
  readonly lastOffset: number;
  readonly applied: boolean;
}

const placeKey = ({ partition, offset }: Position): string => `${partition}/${offset}`;

/**
 * A set of the records that crash every projector. `load` finds them by their dead letters. Every projector rejects
 * these records without reading them. Otherwise a rebuild would crash at such a record and never end.
 */
export class FatalRecords {
  private constructor(private readonly letters: ReadonlyMap<string, FatalLetter>) {}

  static async load(db: Pick<Database, 'query'>): Promise<FatalRecords> {
    const rows = await db.query<Position & FatalLetter>({
      text: `SELECT log_partition AS partition, log_offset AS "offset", last_offset AS "lastOffset", state = 'applied' AS applied
             FROM nodeledger.dead_letters WHERE exception LIKE $1`,
      values: [`${code}:%`],
    });
    return new FatalRecords(new Map(rows.map((row) => [placeKey(row), row])));
  }

  /**
   * Returns the same records with their positions in a copy of the log. `moved` returns the new position of a record,
   * or undefined to omit the record.
   */
  moved(moved: (old: Position) => Position | undefined): FatalRecords {
    const letters = new Map<string, FatalLetter>();
    for (const [key, letter] of this.letters) {
      const [partition, offset] = key.split('/').map(Number) as [number, number];
      const to = moved({ partition, offset });
      if (to === undefined) continue;
      const last = moved({ partition, offset: letter.lastOffset });
      letters.set(placeKey(to), { lastOffset: last?.offset ?? 0, applied: letter.applied });
    }
    return new FatalRecords(letters);
  }

  /** Returns whether the record is in the set, or is a retry that is known to crash. */
  has(record: LogRecord): boolean {
    if (this.letters.size === 0) return false;
    if (this.letters.has(placeKey(record))) return true;
    const retried = record.headers?.[retryHeader];
    const name = retried === undefined ? undefined : readLetterName(retried);
    const letter = name === undefined ? undefined : this.letters.get(placeKey(name));
    if (letter === undefined) return false;
    return letter.applied ? record.offset < letter.lastOffset : record.offset <= letter.lastOffset;
  }
}

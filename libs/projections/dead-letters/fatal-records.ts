import type { Database } from '#database';
import { Fault } from '#fault';
import type { LogRecord, Position } from '#log';
import { readLetterName, retryHeader } from './letter-name';

const code = 'projections.fatal-record';

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
 * Records that crash every projector, found by their dead letters. Projectors reject these records and do not read
 * them. Otherwise each attempt of a rebuild would crash at such a record.
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
   * `moved` returns the new position of a record in a copy of the log, or undefined if the copy does not contain the
   * record.
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

  /** Also returns true for a retry that is known to crash. */
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

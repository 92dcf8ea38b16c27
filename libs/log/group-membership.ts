/**
 * Divides the partitions of a log between the projectors of all processes. Each member holds an advisory lock of
 * PostgreSQL on its own connection, so the lock of a dead member is released at once. All members calculate their
 * shares from the same list of locks, without messages. Just after a change, two members can read the same partition.
 * In this case, the positions in the read tables decide whose transaction commits.
 */
import { randomInt } from 'node:crypto';
import { type Database, type OwnSession, type Sql, statement } from '#database';

const refreshMs = 1_000;
/**
 * A member that has sent no query for this time loses its share. Its process may have stopped although its connection
 * is open.
 */
const silentMs = 10_000;
const mostNumbers = 2 ** 31 - 1;

export function shareOf(members: readonly number[], own: number, partitions: number): number[] {
  const index = members.indexOf(own);
  const share: number[] = [];
  if (index < 0) return share;
  for (let partition = index; partition < partitions; partition += members.length) share.push(partition);
  return share;
}

const groupKey = (group: string): string => `nodeledger followers ${group}`;

/** `joined` is false if another member has this number. The session keeps the lock until it ends. */
export const joinGroup = (group: string, member: number): Sql =>
  statement`SELECT pg_try_advisory_lock(hashtext(${groupKey(group)}), ${member}::int) AS joined`;

/**
 * Each member runs this query every second on the connection with its lock, so `state_change` is the time of its last
 * query. `state_change` is null if the member logs in as another database user.
 */
export const membersOfGroup = (group: string, silentMs: number): Sql => statement`
  SELECT l.objid::bigint::int AS member
  FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid::bigint = hashtext(${groupKey(group)})::bigint & 4294967295
    AND (l.pid = pg_backend_pid()
      OR coalesce(a.state_change > clock_timestamp() - ${silentMs} * interval '1 millisecond', true))
  ORDER BY 1`;

export class GroupMembership {
  private session: OwnSession | undefined;
  private own = 0;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<readonly number[]> | undefined;
  private left = false;

  constructor(
    private readonly db: Pick<Database, 'session'>,
    private readonly group: string,
    private readonly partitions: number,
    private readonly onShare: (partitions: readonly number[]) => void,
  ) {}

  async join(): Promise<readonly number[]> {
    const share = await this.readShare();
    if (!this.left) this.timer ??= setInterval(() => this.refresh(), refreshMs).unref();
    return share;
  }

  async leave(): Promise<void> {
    this.left = true;
    clearInterval(this.timer);
    await this.reading?.catch(() => undefined);
    this.session?.close();
    this.session = undefined;
  }

  /** Keeps the previous share if the database does not answer. */
  private refresh(): void {
    if (this.reading === undefined) this.readShare().then(this.onShare, () => undefined);
  }

  private readShare(): Promise<readonly number[]> {
    this.reading ??= this.queryShare().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async queryShare(): Promise<readonly number[]> {
    try {
      this.session ??= await this.enter();
      const rows = await this.session.query<{ member: number }>(membersOfGroup(this.group, silentMs));
      const members = rows.map(({ member }) => member);
      return shareOf(members, this.own, this.partitions);
    } catch (error) {
      this.session?.close();
      this.session = undefined;
      throw error;
    }
  }

  private async enter(): Promise<OwnSession> {
    const session = await this.db.session();
    try {
      for (;;) {
        const number = randomInt(mostNumbers);
        const [row] = await session.query<{ joined: boolean }>(joinGroup(this.group, number));
        if (row?.joined !== true) continue;
        this.own = number;
        return session;
      }
    } catch (error) {
      session.close();
      throw error;
    }
  }
}

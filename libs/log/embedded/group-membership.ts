/**
 * Divides the partitions of the log between the members of a group: projector threads, of one process or of several. Each
 * member holds an advisory lock of PostgreSQL on a connection of its own, so a member that dies leaves at once. All members
 * read the same list, so they agree on who has which partition without asking each other. For a moment after a change they
 * may not: then the positions of the read tables decide.
 */
import { randomInt } from 'node:crypto';
import type { Database, OwnSession } from '#database';
import { joinGroup, membersOfGroup } from './statements';

const lookMs = 1_000;
/** A member that has not looked for this time does not count: its process may be stopped, with its connection still open. */
const silentMs = 10_000;
const mostNumbers = 2 ** 31 - 1;

/** Sorted members take turns: the partitions of the member with this number. */
export function shareOf(members: readonly number[], own: number, partitions: number): number[] {
  const turn = members.indexOf(own);
  const share: number[] = [];
  if (turn < 0) return share;
  for (let partition = turn; partition < partitions; partition += members.length) share.push(partition);
  return share;
}

export class GroupMembership {
  private session: OwnSession | undefined;
  private own = 0;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<readonly number[]> | undefined;
  private left = false;

  constructor(
    private readonly db: Pick<Database, 'session'>,
    private readonly group: string,
    private readonly partitions: number,
    /** Called every second with the partitions of this member. */
    private readonly onShare: (partitions: readonly number[]) => void,
  ) {}

  /** Returns the partitions of this member, and keeps looking at who else is there. */
  async join(): Promise<readonly number[]> {
    const share = await this.look();
    if (!this.left) this.timer ??= setInterval(() => this.lookAgain(), lookMs).unref();
    return share;
  }

  async leave(): Promise<void> {
    this.left = true;
    clearInterval(this.timer);
    await this.looking?.catch(() => undefined);
    this.session?.close();
    this.session = undefined;
  }

  /** Without an answer of the database, the share stays what it was. */
  private lookAgain(): void {
    if (this.looking === undefined) this.look().then(this.onShare, () => undefined);
  }

  private look(): Promise<readonly number[]> {
    this.looking ??= this.askMembers().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async askMembers(): Promise<readonly number[]> {
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

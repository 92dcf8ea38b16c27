import { setTimeout as delay } from 'node:timers/promises';
import { retryDelay } from '#fault';
import type { ChangeRow } from './change';
import type { ChangeGroup, ChangeReader } from './change-reader';
import { ChangesGone } from './history-state';
import type { StreamPosition } from './stream-position';

export interface FeedMember {
  readonly needs: (row: ChangeRow) => boolean;
  /** Called with each group of changes, in order. A group can contain changes that only other members need. */
  take(group: ChangeGroup): void;
  /** Called after the feed has removed the member, because the history no longer contains the next changes. */
  lose(): void;
}

const groupSize = 100;
/** Milliseconds that the feed waits before it reads, so that it reads several commits at once. */
const pauseMs = 25;
const retries = { firstMs: 100, longestMs: 5_000 };

/** Reads new changes once for all streams of the process. Without members, the feed reads nothing. */
export class ChangeFeed {
  private readonly members = new Set<FeedMember>();
  private joining: (() => void)[] = [];
  private head: StreamPosition | undefined;
  private isReading = false;
  private mustRead = false;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly reader: ChangeReader,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Adds a member that has read the changes up to about `position`. Returns the position from which the feed sends all
   * changes to the member. The member must read the changes before this position itself.
   */
  join(member: FeedMember, position: StreamPosition): Promise<StreamPosition> {
    return new Promise((resolve) => {
      const join = (): void => {
        this.members.add(member);
        this.head ??= position;
        this.stopListening ??= this.reader.onApplied(() => this.read());
        resolve(this.head);
      };
      // A read that is already running fetches only the entries that the other members need. So the new member joins
      // after this read.
      if (this.isReading) this.joining.push(join);
      else join();
      this.read();
    });
  }

  leave(member: FeedMember): void {
    this.members.delete(member);
  }

  private read(): void {
    this.mustRead = true;
    if (!this.isReading) void this.readOn();
  }

  private async readOn(): Promise<void> {
    this.isReading = true;
    for (let failures = 0; ;) {
      for (const join of this.joining.splice(0)) join();
      const { head } = this;
      if (head === undefined || this.members.size === 0 || !this.mustRead) break;
      this.mustRead = false;
      try {
        const needs = (row: ChangeRow): boolean => [...this.members].some((member) => member.needs(row));
        const group = await this.reader.readAfter(head, { limit: groupSize, isWanted: needs });
        failures = 0;
        this.head = group.position;
        this.mustRead ||= !group.isLast;
        for (const member of [...this.members]) member.take(group);
        await delay(pauseMs);
      } catch (error) {
        this.mustRead = true;
        if (error instanceof ChangesGone) this.loseAll();
        else {
          this.onFailure(error);
          failures += 1;
          await delay(retryDelay(failures, retries));
        }
      }
    }
    this.isReading = false;
    if (this.members.size > 0) return;
    this.head = undefined;
    this.stopListening?.();
    this.stopListening = undefined;
  }

  private loseAll(): void {
    const lost = [...this.members];
    this.members.clear();
    this.head = undefined;
    for (const member of lost) member.lose();
  }
}

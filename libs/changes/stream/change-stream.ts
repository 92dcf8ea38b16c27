import { setTimeout as delay } from 'node:timers/promises';
import { isFault, retryDelay } from '#fault';
import type { EventStream } from '#http';
import type { Change, ChangeRow } from './change';
import type { ChangeFeed, FeedMember } from './change-feed';
import type { ChangeGroup, ChangeReader } from './change-reader';
import { beginText, completeText, endOfEvents, eventText, heartbeatText, idText } from './event-text';
import { isAtOrAfter, laterOf, type StreamPosition } from './stream-position';

/** Selects the changes that a stream sends. */
export interface StreamChoice {
  readonly isChosen: (change: Pick<Change, 'kind' | 'certname' | 'environment'>) => boolean;
  /** Returns which of the nodes match the query of the client. If absent, all nodes match. */
  readonly matching?: (certnames: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Whether the stream goes on with later changes. If false, the stream ends after the changes that are already
   * applied.
   */
  readonly follows: boolean;
}

export interface StreamParts {
  readonly reader: ChangeReader;
  readonly feed: ChangeFeed;
  /** Largest number of bytes in the changes that wait for the client. */
  readonly mostBytes: number;
  readonly onSent: (events: number) => void;
  /** Called if the client reads too slowly. */
  readonly onCutOff: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Largest number of rows that the stream reads at once from past changes. */
const groupSize = 100;
/** When the text is this long, the stream writes it and waits until the client has read it. */
const pieceCharacters = 32 << 10;
const retries = { firstMs: 100, longestMs: 5_000 };

/**
 * Sends the changes after a position to one client. First reads and sends the changes up to the position of the feed,
 * then sends the changes from the feed.
 */
export class ChangeStream implements FeedMember {
  private tail: Promise<void> = Promise.resolve();
  /** Number of groups that wait to be sent or are being sent. */
  private waiting = 0;
  private waitingBytes = 0;
  private told: StreamPosition;

  constructor(
    private readonly events: EventStream,
    private position: StreamPosition,
    private readonly choice: StreamChoice,
    private readonly parts: StreamParts,
  ) {
    this.told = position;
    events.write(beginText(position));
  }

  readonly needs = ({ kind, certname, environment }: ChangeRow): boolean =>
    certname === null || this.choice.isChosen({ kind, certname, environment });

  /** Runs the stream. Resolves when it is over. */
  async run(): Promise<void> {
    const { events, choice, parts } = this;
    const { closed } = events;
    try {
      await this.readUntil(undefined);
      if (choice.follows) {
        // Groups from the feed wait until the changes before them are sent. Until then, only the stream's own reads
        // move the position.
        this.waiting += 1;
        this.tail = parts.feed.join(this, this.position).then((head) => this.readUntil(head));
        await this.tail;
        this.waiting -= 1;
      } else {
        events.write(completeText);
        this.end();
      }
      await events.over();
    } catch (error) {
      if (closed.aborted) return;
      if (!isFinal(error)) parts.onFailure(error);
      // Closes the connection. The client connects again, and then gets the error as the answer.
      events.cutOff();
    } finally {
      parts.feed.leave(this);
    }
  }

  take(group: ChangeGroup): void {
    const chosen = group.changes.filter((change) => this.choice.isChosen(change));
    if (chosen.length === 0 && this.waiting === 0) {
      this.position = laterOf(this.position, group.position);
      return;
    }
    const bytes = chosen.reduce((sum, { json }) => sum + json.length, 0);
    if (this.waitingBytes > 0 && this.waitingBytes + bytes > this.parts.mostBytes) {
      this.parts.onCutOff();
      this.events.cutOff();
      return;
    }
    this.waiting += 1;
    this.waitingBytes += bytes;
    this.tail = this.tail
      .then(() => this.send(chosen, group))
      .then(
        () => {
          this.waiting -= 1;
          this.waitingBytes -= bytes;
        },
        (error: unknown) => {
          if (!this.events.closed.aborted && !isFinal(error)) this.parts.onFailure(error);
          this.events.cutOff();
        },
      );
  }

  lose(): void {
    this.events.end();
  }

  /**
   * Sends a text that shows clients and proxies that the connection is alive. Also sends the new position, for clients
   * that get no events.
   */
  beat(): void {
    const { position } = this;
    this.events.write(heartbeatText + (position === this.told ? '' : idText(position)));
    this.told = position;
  }

  /** Ends the answer. The client can continue later, because it knows its position in the stream. */
  end(): void {
    if (this.position !== this.told) this.events.write(idText(this.position));
    this.told = this.position;
    this.events.end();
  }

  /** Reads and sends changes up to the present, or up to a position. */
  private async readUntil(until: StreamPosition | undefined): Promise<void> {
    const { reader } = this.parts;
    while (!this.events.closed.aborted) {
      if (until !== undefined && isAtOrAfter(this.position, until)) return;
      const group = await this.persistently(() =>
        reader.readAfter(this.position, { limit: groupSize, isWanted: this.needs }),
      );
      await this.send(
        group.changes.filter((change) => this.choice.isChosen(change)),
        group,
      );
      // `until` may belong to a log that was replaced. The feed then also finds its place in the new log by time.
      if (group.isLast && (until === undefined || until.log !== group.position.log)) return;
    }
  }

  private async send(changes: readonly Change[], { position, logId }: ChangeGroup): Promise<void> {
    const { events, parts } = this;
    const isSameLog = position.log === this.position.log;
    const unread = changes.filter(
      ({ position: { partition, offset } }) => !isSameLog || offset >= (this.position.offsets[partition] ?? 0),
    );
    const chosen = await this.matching(unread);
    if (events.closed.aborted) return;
    const next = laterOf(this.position, position);
    let text = '';
    for (const [index, change] of chosen.entries()) {
      const isLast = index === chosen.length - 1;
      text += eventText(change, logId) + endOfEvents(isLast ? next : undefined);
      if (!isLast && text.length < pieceCharacters) continue;
      events.write(text);
      text = '';
      await events.drained();
    }
    if (chosen.length > 0) this.told = next;
    this.position = next;
    parts.onSent(chosen.length);
  }

  private async matching(changes: readonly Change[]): Promise<readonly Change[]> {
    const { matching } = this.choice;
    // Leaves out deletions, because the service has no data about a deleted node, so no query can match the node.
    const asked = changes.filter(({ kind }) => kind !== 'node.deleted');
    if (matching === undefined || asked.length === 0) return changes;
    const names = [...new Set(asked.map(({ certname }) => certname))];
    const found = await this.persistently(() => matching(names));
    return changes.filter(({ kind, certname }) => kind === 'node.deleted' || found.has(certname));
  }

  /** Repeats the work while the database or a permit for a query is not available. */
  private async persistently<T>(work: () => Promise<T>): Promise<T> {
    const { closed } = this.events;
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (closed.aborted || isFinal(error)) throw error;
        this.parts.onFailure(error);
        await delay(retryDelay(failures, retries), undefined, { signal: closed });
      }
    }
  }
}

/** Returns whether the work would fail again with the same error. */
const isFinal = (error: unknown): boolean => isFault(error) && (error.kind === 'missing' || error.kind === 'malformed');

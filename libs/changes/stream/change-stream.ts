import { setTimeout as delay } from 'node:timers/promises';
import { isFault, retryDelay } from '#fault';
import type { EventStream } from '#http';
import type { Change, ChangeRow } from './change';
import type { ChangeFeed, FeedMember } from './change-feed';
import type { ChangeGroup, ChangeReader } from './change-reader';
import { beginText, completeText, endOfEvents, eventText, heartbeatText, idText } from './event-text';
import { isAtOrAfter, laterOf, type StreamPosition } from './stream-position';

export interface StreamChoice {
  readonly isChosen: (change: Pick<Change, 'kind' | 'certname' | 'environment'>) => boolean;
  /** Returns the certnames of the nodes that match the query of the stream. Absent if the stream has no query. */
  readonly matching?: (certnames: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Whether the stream continues with later changes. If false, it ends after the changes that are already applied. */
  readonly follows: boolean;
}

export interface StreamParts {
  readonly reader: ChangeReader;
  readonly feed: ChangeFeed;
  readonly mostBytes: number;
  readonly onSent: (events: number) => void;
  readonly onCutOff: () => void;
  readonly onFailure: (error: unknown) => void;
}

const groupSize = 100;
/**
 * The stream collects text up to this many characters. Then it writes the text, and waits until the client has read it.
 */
const pieceCharacters = 32 << 10;
const retries = { firstMs: 100, longestMs: 5_000 };

/**
 * Sends the changes after a position to one client. The stream reads the changes before the position of the feed, and
 * the feed supplies the later changes.
 */
export class ChangeStream implements FeedMember {
  private tail: Promise<void> = Promise.resolve();
  private waiting = 0;
  private waitingBytes = 0;
  private sentPosition: StreamPosition;

  constructor(
    private readonly events: EventStream,
    private position: StreamPosition,
    private readonly choice: StreamChoice,
    private readonly parts: StreamParts,
  ) {
    this.sentPosition = position;
    events.write(beginText(position));
  }

  readonly needs = ({ kind, certname, environment }: ChangeRow): boolean =>
    certname === null || this.choice.isChosen({ kind, certname, environment });

  async run(): Promise<void> {
    const { events, choice, parts } = this;
    const { closed } = events;
    try {
      await this.readUntil(undefined);
      if (choice.follows) {
        // Groups from the feed wait until the changes before them are sent. Until then, `waiting` is above 0, so that
        // `take` does not move the position.
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
      // Closes the connection before the end of the answer. So the client connects again, and gets the error as the
      // answer.
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

  /** Shows clients and proxies that the connection is alive. Also sends the position to clients that get no events. */
  beat(): void {
    const { position } = this;
    this.events.write(heartbeatText + (position === this.sentPosition ? '' : idText(position)));
    this.sentPosition = position;
  }

  /** Ends the answer. The client gets its position first, so that it can continue later. */
  end(): void {
    if (this.position !== this.sentPosition) this.events.write(idText(this.position));
    this.sentPosition = this.position;
    this.events.end();
  }

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
      // If the log was replaced, `until` belongs to the old log, and is never reached. So this loop ends with the last
      // changes. The feed finds its own position in the new log.
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
    if (chosen.length > 0) this.sentPosition = next;
    this.position = next;
    parts.onSent(chosen.length);
  }

  private async matching(changes: readonly Change[]): Promise<readonly Change[]> {
    const { matching } = this.choice;
    // Sends every deletion without this check, because the service has no data of a deleted node to which the query
    // could apply.
    const toCheck = changes.filter(({ kind }) => kind !== 'node.deleted');
    if (matching === undefined || toCheck.length === 0) return changes;
    const names = [...new Set(toCheck.map(({ certname }) => certname))];
    const found = await this.persistently(() => matching(names));
    return changes.filter(({ kind, certname }) => kind === 'node.deleted' || found.has(certname));
  }

  /** Retries after errors that may be temporary, such as a lost connection or a missing permit. */
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

/** Returns whether another attempt would fail with the same error. */
const isFinal = (error: unknown): boolean => isFault(error) && (error.kind === 'missing' || error.kind === 'malformed');

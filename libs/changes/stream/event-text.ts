import type { Change } from './change';
import { cloudEvent } from './cloud-event';
import { type StreamPosition, writePosition } from './stream-position';

/** Milliseconds that clients wait before they connect again. */
const retryMs = 1_000;

const texts = new WeakMap<Change, string>();

/** Returns the lines of an event, without the empty line at its end. The text is the same for all streams. */
export function eventText(change: Change, logId: string): string {
  let text = texts.get(change);
  if (text === undefined) {
    text = `data: ${cloudEvent(change, logId)}\n`;
    texts.set(change, text);
  }
  return text;
}

/**
 * Ends an event. Only the last event of a group has an id, because the id contains the position in each partition. If
 * a connection ends in the middle of a group, the client gets the whole group again.
 */
export const endOfEvents = (position: StreamPosition | undefined): string =>
  position === undefined ? '\n' : idText(position);

/**
 * Returns a text that tells the client its position. Clients store the id, but report no event to their users, because
 * the text has no data.
 */
export const idText = (position: StreamPosition): string => `id: ${writePosition(position)}\n\n`;

/**
 * Returns the beginning of a stream. If the connection ends before the first event, the client continues at this
 * position.
 */
export const beginText = (position: StreamPosition): string => `retry: ${retryMs}\n${idText(position)}`;

/** A comment in the stream that shows clients and proxies that the connection is alive. */
export const heartbeatText = ': heartbeat\n\n';

/**
 * A comment at the end of an answer that contains only past changes. If the comment is missing, the answer is
 * incomplete.
 */
export const completeText = ': complete\n\n';

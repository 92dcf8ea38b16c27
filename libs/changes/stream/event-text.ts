import type { Change } from './change';
import { cloudEvent } from './cloud-event';
import { type StreamPosition, writePosition } from './stream-position';

const retryMs = 1_000;

const texts = new WeakMap<Change, string>();

/**
 * Returns the lines of an event, without the empty line at its end. The text is made only once, and all streams share
 * it.
 */
export function eventText(change: Change, logId: string): string {
  let text = texts.get(change);
  if (text === undefined) {
    text = `data: ${cloudEvent(change, logId)}\n`;
    texts.set(change, text);
  }
  return text;
}

/**
 * Ends an event. Only the last event of a group has an id, because the id is the position after the group. If a
 * connection ends in the middle of a group, the client gets the whole group again.
 */
export const endOfEvents = (position: StreamPosition | undefined): string =>
  position === undefined ? '\n' : idText(position);

/**
 * Returns a text that sends the position without an event. Clients store the position as the last id, but report no
 * event, because the text has no data.
 */
export const idText = (position: StreamPosition): string => `id: ${writePosition(position)}\n\n`;

/**
 * Returns the beginning of an event stream. It contains a position, at which the client continues if the connection
 * ends before the first event.
 */
export const beginText = (position: StreamPosition): string => `retry: ${retryMs}\n${idText(position)}`;

export const heartbeatText = ': heartbeat\n\n';

/** Last line of an answer that contains only past changes. If the line is missing, the answer is incomplete. */
export const completeText = ': complete\n\n';

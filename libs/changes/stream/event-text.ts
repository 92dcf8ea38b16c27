import type { Change } from './change';
import { cloudEvent } from './cloud-event';
import { type StreamPosition, writePosition } from './stream-position';

const retryMs = 1_000;

const texts = new WeakMap<Change, string>();

/** Returns the lines of an event, without the empty line at its end. All streams share the text. */
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

/** Sends the position without an event. Clients store the id, but pass no event on, because the text has no data. */
export const idText = (position: StreamPosition): string => `id: ${writePosition(position)}\n\n`;

/** If the connection ends before the first event, the client continues at this position. */
export const beginText = (position: StreamPosition): string => `retry: ${retryMs}\n${idText(position)}`;

export const heartbeatText = ': heartbeat\n\n';

/** An answer with only past changes ends with this line. Without the line, the answer is incomplete. */
export const completeText = ': complete\n\n';

import { isMap } from '#fault';
import type { Change } from '../../stream/change';
import { cloudEvent } from '../../stream/cloud-event';
import type { SentChange } from './delivery-log';
import type { Message } from './send-webhook';

export type ChangeMessage = Message & SentChange & { readonly change: Pick<Change, 'position' | 'receivedAt'> };

/**
 * Largest size of a message in bytes. Receivers expect small messages, and can read everything else in the timeline.
 */
const mostBytes = 65_536;

/** Returns the message about a change. Omits the list of changes if the message would otherwise be too large. */
export function changeMessage(change: Change, logId: string): ChangeMessage {
  const { id, kind, certname, receivedAt, position, json } = change;
  const whole = Buffer.from(cloudEvent(change, logId));
  const body =
    whole.length <= mostBytes ? whole : Buffer.from(cloudEvent({ ...change, json: withoutParticulars(json) }, logId));
  return { event: id, type: `nodeledger.${kind}`, certname, body, change: { position, receivedAt } };
}

export function testMessage(id: string, subscription: string): Message & SentChange {
  const type = 'nodeledger.test';
  const event = {
    specversion: '1.0',
    id,
    source: '/nodeledger',
    type,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { subscription },
  };
  return { event: id, type, certname: null, body: Buffer.from(JSON.stringify(event)) };
}

function withoutParticulars(json: string): string {
  const entry: unknown = JSON.parse(json);
  if (!isMap(entry)) return json;
  const { changes, changes_left_out: leftOut } = entry;
  const count = (Array.isArray(changes) ? changes.length : 0) + (typeof leftOut === 'number' ? leftOut : 0);
  return JSON.stringify({ ...entry, changes: [], changes_left_out: count });
}

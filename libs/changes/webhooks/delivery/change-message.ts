import { isMap } from '#fault';
import type { Change } from '../../stream/change';
import type { SentChange } from './delivery-log';
import type { Message } from './send-webhook';

/** A message with what the log of deliveries says about it. */
export type ChangeMessage = Message & SentChange & { readonly change: Pick<Change, 'position' | 'receivedAt'> };

/** Receivers expect small messages. The timeline has everything. */
const mostBytes = 65_536;

/** Returns the message of a change: CloudEvents 1.0 in JSON. A large change is sent without its particulars. */
export function changeMessage(change: Change, logId: string): ChangeMessage {
  const { id, kind, certname, receivedAt, position, json } = change;
  const type = `nodeledger.${kind}`;
  const bodyOf = (data: string): Buffer =>
    Buffer.from(eventText({ id, type, logId, certname, time: receivedAt }, data));
  const whole = bodyOf(json);
  const body = whole.length <= mostBytes ? whole : bodyOf(withoutParticulars(json));
  return { event: id, type, certname, body, change: { position, receivedAt } };
}

/** Returns a message with which an administrator tries a receiver. */
export function testMessage(id: string, name: string): Message & SentChange {
  const type = 'nodeledger.test';
  const event = { id, type, logId: 'test', certname: null, time: new Date().toISOString() };
  const data = JSON.stringify({ subscription: name });
  return { event: id, type, certname: null, body: Buffer.from(eventText(event, data)) };
}

interface EventFields {
  readonly id: string;
  readonly type: string;
  readonly logId: string;
  readonly certname: string | null;
  readonly time: string;
}

/** `data` is JSON text, in which numbers are spelled as PostgreSQL has them. */
function eventText({ id, type, logId, certname, time }: EventFields, data: string): string {
  const context = {
    specversion: '1.0',
    id,
    source: `/nodeledger/${logId}`,
    type,
    ...(certname !== null && { subject: certname }),
    time,
    datacontenttype: 'application/json',
  };
  return `${JSON.stringify(context).slice(0, -1)},"data":${data}}`;
}

function withoutParticulars(json: string): string {
  const entry: unknown = JSON.parse(json);
  if (!isMap(entry)) return json;
  const { changes, changes_left_out: leftOut } = entry;
  const count = (Array.isArray(changes) ? changes.length : 0) + (typeof leftOut === 'number' ? leftOut : 0);
  return JSON.stringify({ ...entry, changes: [], changes_left_out: count });
}

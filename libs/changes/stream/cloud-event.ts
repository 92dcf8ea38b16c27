import type { Change } from './change';

/** Returns a change as a CloudEvent 1.0 in JSON. The id stays the same after a rebuild or a copy of the log. */
export function cloudEvent({ id, kind, certname, receivedAt, json }: Change, logId: string): string {
  const attributes = {
    specversion: '1.0',
    id,
    source: `/nodeledger/${logId}`,
    type: `nodeledger.${kind}`,
    subject: certname,
    time: receivedAt,
    datacontenttype: 'application/json',
  };
  // Appends the entry as text, because parsing could change its numbers.
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${json}}`;
}

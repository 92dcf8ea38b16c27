import type { WireExpiration } from '../documents';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { JsonScan } from '../json/scan';

export const expirationShape = shape(['certname', 'expire'], ['producer_timestamp']);
export const expireShape = shape(['facts']);

export function readExpiration(text: string): WireExpiration {
  const scan = new JsonScan(text);
  const problems = new Problems('configure expiration 1');
  const members = new Members(scan, expirationShape, problems);
  members.open(0);
  const certname = members.text('certname');
  const producerTimestamp = members.timeOrNull('producer_timestamp');
  const inner = new Members(scan, expireShape, problems, 1);
  inner.base = 'expire';
  if (members.has('expire')) inner.open(members.start('expire'));
  const expireFacts = members.has('expire') && inner.boolean('facts');
  problems.throwIfAny();
  return { kind: 'expiration', certname, producerTimestamp, expireFacts };
}

import type { WireDeactivation } from '../documents';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { JsonScan } from '../json/scan';

export const deactivationShape = shape(['certname'], ['producer_timestamp']);

export function readDeactivation(text: string): WireDeactivation {
  const problems = new Problems('deactivate node 3');
  const members = new Members(new JsonScan(text), deactivationShape, problems);
  members.open(0);
  const certname = members.text('certname');
  const producerTimestamp = members.timeOrNull('producer_timestamp');
  problems.throwIfAny();
  return { kind: 'deactivation', certname, producerTimestamp };
}

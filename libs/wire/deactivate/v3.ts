import type { WireDeactivation } from '../documents';
import { documentReader } from '../check/document-reader';
import { shape } from '../check/shape';

export const deactivationShape = shape(['certname'], ['producer_timestamp']);

export const readDeactivation = documentReader('deactivate node 3', deactivationShape, (members): WireDeactivation => ({
  kind: 'deactivation',
  certname: members.text('certname'),
  producerTimestamp: members.timeOrNull('producer_timestamp'),
}));

import type { WireExpiration } from '../documents';
import { documentReader } from '../check/document-reader';
import { shape } from '../check/shape';

export const expirationShape = shape(['certname', 'expire'], ['producer_timestamp']);
export const expireShape = shape(['facts']);

export const readExpiration = documentReader('configure expiration 1', expirationShape, (members): WireExpiration => ({
  kind: 'expiration',
  certname: members.text('certname'),
  producerTimestamp: members.timeOrNull('producer_timestamp'),
  expireFacts: members.has('expire') && members.inner('expire', expireShape).boolean('facts'),
}));

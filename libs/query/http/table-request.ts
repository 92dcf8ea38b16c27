import {
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  requestIdentity,
} from '#http';
import type { TableRequest } from '../run/table-reader';

/**
 * Returns the properties of a request that a reading of tables needs. The reading ends if the client leaves, or when
 * `gone` aborts.
 */
export const tableRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  gone: AbortSignal = clientGone(reply),
): TableRequest => ({
  identity: requestIdentity(request),
  route: request.routeOptions.url ?? '',
  address: clientAddress(request),
  reader: clientReading(reply),
  gone,
});

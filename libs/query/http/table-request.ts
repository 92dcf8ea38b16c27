import {
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  requestIdentity,
} from '#http';
import type { TableRequest } from '../run/table-reader';

/** Returns what the reading of tables needs to know of a request. It ends when the client leaves, or when `gone` aborts. */
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

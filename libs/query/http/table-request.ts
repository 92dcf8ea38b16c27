import {
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  requestIdentity,
} from '#http';
import type { TableRequest } from '../run/table-reader';

/** Reading ends when `gone` aborts. The default signal aborts when the client disconnects. */
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

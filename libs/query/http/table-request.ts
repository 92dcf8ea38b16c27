import {
  clientAddress,
  clientGone,
  clientReading,
  type FastifyReply,
  type FastifyRequest,
  requestIdentity,
} from '#http';
import type { TableRequest } from '../run/table-reader';

/** Reading ends when `gone` aborts: by default, when the client leaves. */
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

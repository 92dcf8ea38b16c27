import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { endConnection, type FastifyInstance } from '#http';
import { ServiceState } from '#observe';

/**
 * While the service stops, ends each connection after the next answer (with `Connection: close`, or by ending the
 * HTTP/2 session). Otherwise busy clients could delay the stop indefinitely, because a closing server still serves
 * connections that are kept alive.
 */
@Injectable()
export class ConnectionCloser implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly state: ServiceState,
  ) {}

  onModuleInit(): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onSend', async (_request, reply, payload) => {
      if (this.state.stopping) endConnection(reply.raw);
      return payload;
    });
  }
}

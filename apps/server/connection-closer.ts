import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { endConnection, type FastifyInstance } from '#http';
import { ServiceState } from '#observe';

/**
 * While the service stops, ends the connection of each client after its answer (`Connection: close`, or the end of the
 * HTTP/2 session). A closing server still serves kept-alive connections, so busy clients could otherwise delay the stop
 * indefinitely.
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

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { endConnection, type FastifyInstance } from '#http';
import { ServiceState } from '#observe';

/**
 * While the service stops, ends each connection after its next answer. Otherwise busy clients could delay the stop
 * forever.
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

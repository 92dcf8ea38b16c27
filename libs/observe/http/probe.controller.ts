import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { errorHeader, excerpt, type FaultCode } from '#fault';
import { Described } from '#openapi';
import * as described from './descriptions/probes';
import { jsonType, type Reply } from './reply';
import { type ServiceHealth, ServiceState } from './service-state';

/**
 * `live` tells an orchestrator whether to restart the process. `ready` tells load balancers whether to send clients to
 * the process.
 */
@Controller('nodeledger/v1')
export class ProbeController {
  constructor(private readonly service: ServiceState) {}

  /** Does not check the database and the log, because a restart of this process would not repair them. */
  @Get('live')
  @Described(described.live)
  @Header('content-type', jsonType)
  live(): string {
    return JSON.stringify({ live: true, version: this.service.version, log_id: this.service.logId });
  }

  @Get('ready')
  @Described(described.ready)
  async ready(@Res() reply: Reply): Promise<void> {
    const look = await this.service.look();
    await this.answer(reply, look, Object.values(look.components).every(Boolean));
  }

  /** Load balancers use this route if different processes serve commands and queries. */
  @Get('ready/:component')
  @Described(described.readyFor)
  async readyFor(@Param('component') component: string, @Res() reply: Reply): Promise<void> {
    const look = await this.service.look();
    if (!Object.hasOwn(look.components, component)) {
      const code: FaultCode = 'http.not-found';
      const error = `This process has no component ${excerpt(component)}; it has: ${Object.keys(look.components).join(', ')}.`;
      await reply
        .status(404)
        .header(errorHeader, code)
        .header('content-type', jsonType)
        .send(JSON.stringify({ error }));
      return;
    }
    await this.answer(reply, look, look.components[component] === true);
  }

  private async answer(reply: Reply, { state, components }: ServiceHealth, works: boolean): Promise<void> {
    const ready = works && !this.service.draining;
    const alerts = this.service.alerts().map(({ code }) => code);
    await reply
      .status(ready ? 200 : 503)
      .header('content-type', jsonType)
      .send(JSON.stringify({ ready, state, components, alerts }));
  }
}

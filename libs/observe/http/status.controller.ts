import { Controller, Get, Param, Res } from '@nestjs/common';
import { errorHeader, type FaultCode } from '#fault';
import { type ServiceLook, ServiceState } from './service-state';

const json = 'application/json;charset=utf-8';
const serviceName = 'puppetdb-status';

/** What a reply is used for here, whatever server stands behind it. */
interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

/** `/status/v1`: for probes, load balancers and dashboards. */
@Controller('status/v1')
export class StatusController {
  constructor(private readonly service: ServiceState) {}

  @Get('simple')
  async simple(@Res() reply: Reply): Promise<void> {
    const { state } = await this.service.look();
    await reply
      .status(state === 'running' ? 200 : 503)
      .header('content-type', 'text/plain;charset=utf-8')
      .send(state);
  }

  @Get('services')
  async services(@Res() reply: Reply): Promise<void> {
    const look = await this.service.look();
    await this.answer(reply, look, { [serviceName]: this.describe(look) });
  }

  @Get('services/:name')
  async serviceNamed(@Param('name') name: string, @Res() reply: Reply): Promise<void> {
    if (name !== serviceName) {
      const body = { kind: 'service-not-found', msg: `No status information found for service ${name}` };
      const code: FaultCode = 'http.not-found';
      await reply.status(404).header(errorHeader, code).header('content-type', json).send(JSON.stringify(body));
      return;
    }
    const look = await this.service.look();
    await this.answer(reply, look, { ...this.describe(look), service_name: serviceName });
  }

  private answer(reply: Reply, { state }: ServiceLook, body: object): unknown {
    return reply
      .status(state === 'running' ? 200 : 503)
      .header('content-type', json)
      .send(JSON.stringify(body));
  }

  private describe(look: ServiceLook): object {
    return {
      service_version: this.service.reportedVersion,
      service_status_version: 1,
      detail_level: 'info',
      state: look.state,
      status: {
        'maintenance_mode?': look.state === 'starting',
        queue_depth: look.queueDepth,
        'read_db_up?': look.readDatabaseUp,
        'write_db_up?': look.writeDatabaseUp,
        'write_dbs_up?': look.writeDatabaseUp,
        write_db: { default: { 'up?': look.writeDatabaseUp } },
      },
      active_alerts: this.service.alerts(),
    };
  }
}

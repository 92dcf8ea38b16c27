import { Controller, Get, Header, Req } from '@nestjs/common';
import { Fault } from '#fault';
import { ServiceState } from './service-state';

const json = 'application/json;charset=utf-8';

/** These routes take no parameters, and say so. Fault: `query.parameter`. */
function refuseParameters(url: string): void {
  const mark = url.indexOf('?');
  const [name] = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1)).keys()];
  if (name !== undefined) throw new Fault('malformed', 'query.parameter', `Unsupported query parameter '${name}'`);
}

/** `/pdb/meta/v1`: what clients ask before they go on. */
@Controller('pdb/meta/v1')
export class MetaController {
  constructor(private readonly service: ServiceState) {}

  @Get('version')
  @Header('content-type', json)
  version(@Req() request: { url: string }): string {
    refuseParameters(request.url);
    return JSON.stringify({ version: this.service.reportedVersion });
  }

  @Get('server-time')
  @Header('content-type', json)
  serverTime(@Req() request: { url: string }): string {
    refuseParameters(request.url);
    return JSON.stringify({ server_time: new Date().toISOString() });
  }
}

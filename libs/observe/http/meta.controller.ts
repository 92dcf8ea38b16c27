import { All, Controller, Header, Req } from '@nestjs/common';
import { excerpt, Fault } from '#fault';
import { Described } from '#openapi';
import * as described from './descriptions/meta';
import { jsonType } from './reply';
import { ServiceState } from './service-state';

function refuseParameters(url: string): void {
  const mark = url.indexOf('?');
  const [name] = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1)).keys()];
  if (name !== undefined)
    throw new Fault('malformed', 'query.parameter', `Unsupported query parameter '${excerpt(name)}'`);
}

/** Accepts any method, as PuppetDB does. */
@Controller('pdb/meta/v1')
export class MetaController {
  constructor(private readonly service: ServiceState) {}

  @All('version')
  @Described(described.version)
  @Header('content-type', jsonType)
  version(@Req() request: { url: string }): string {
    refuseParameters(request.url);
    return JSON.stringify({ version: this.service.reportedVersion });
  }

  /** The service never looks for newer versions, so the answer always says that there is none. */
  @All('version/latest')
  @Described(described.latest)
  @Header('content-type', jsonType)
  latest(@Req() request: { url: string }): string {
    refuseParameters(request.url);
    return JSON.stringify({
      newer: false,
      product: this.service.product,
      link: '',
      message: 'This service does not look for newer versions.',
      version: this.service.reportedVersion,
    });
  }

  @All('server-time')
  @Described(described.serverTime)
  @Header('content-type', jsonType)
  serverTime(@Req() request: { url: string }): string {
    refuseParameters(request.url);
    return JSON.stringify({ server_time: new Date().toISOString() });
  }
}

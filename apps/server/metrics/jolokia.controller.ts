import { All, Controller, Get, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { Fault } from '#fault';
import { type FastifyReply, type FastifyRequest, jsonType, requestBody } from '#http';
import { Jolokia, type JsonValue } from '#jolokia';
import { overLimit } from '#limits';
import { Described } from '#openapi';
import { METRICS_OPTIONS, type MetricsOptions } from './metrics-options';
import { describeJolokia, listBeans, readBean } from './describe-metrics';

const root = '/metrics/v2';

@Controller('metrics/v2')
export class JolokiaController {
  private readonly jolokia: Jolokia;

  constructor(@Inject(METRICS_OPTIONS) private readonly options: MetricsOptions) {
    this.jolokia = new Jolokia(options.jolokia);
  }

  @All(['', '*'])
  @Described(describeJolokia)
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path = '', query = ''] = request.url.split(/\?(.*)/s);
    const parameters = new URLSearchParams(query);
    switch (request.method) {
      case 'GET':
      case 'HEAD': {
        const below = decodeURIComponent(path.slice(root.length + 1));
        await send(reply, await this.jolokia.get(below, parameters));
        return;
      }
      case 'POST': {
        const { limits } = this.options;
        const refuse = (found?: number): Fault => overLimit(limits, 'metricsBodyBytes', found);
        const body = await requestBody(request, limits.metricsBodyBytes, refuse);
        await send(reply, await this.jolokia.post(body.toString('utf8'), parameters));
        return;
      }
      default:
        throw new Fault('malformed', 'http.request', 'Metrics are asked by GET or POST.', { details: { status: 405 } });
    }
  }
}

/** Only old clients use `/metrics/v1`. */
@Controller('metrics/v1/mbeans')
export class MBeansController {
  private readonly jolokia: Jolokia;

  constructor(@Inject(METRICS_OPTIONS) options: MetricsOptions) {
    this.jolokia = new Jolokia(options.jolokia);
  }

  @Get()
  @Described(listBeans)
  async list(@Res() reply: FastifyReply): Promise<void> {
    const names = (await this.value('search', '*:*')) as readonly string[];
    await send(
      reply,
      Object.fromEntries(names.map((name) => [name, `/metrics/v1/mbeans/${encodeURIComponent(name)}`])),
    );
  }

  @Get('*')
  @Described(readBean)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path = ''] = request.url.split('?', 1);
    await send(reply, await this.value('read', decodeURIComponent(path.slice('/metrics/v1/mbeans/'.length))));
  }

  private async value(type: 'search' | 'read', mbean: string): Promise<JsonValue> {
    const answer = await this.jolokia.post(JSON.stringify({ type, mbean }), new URLSearchParams());
    const { status, value = null } = answer as { readonly status: number; readonly value?: JsonValue };
    if (status !== 200) throw new NotFoundException();
    return value;
  }
}

async function send(reply: FastifyReply, answer: JsonValue): Promise<void> {
  await reply.header('content-type', jsonType).header('cache-control', 'no-cache').send(JSON.stringify(answer));
}

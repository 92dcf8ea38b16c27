import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from '#http';
import { Described } from '#openapi';
import { openMetricsType, writeOpenMetrics } from '#openmetrics';
import { METRICS_OPTIONS, type MetricsOptions } from './metrics-options';
import { openMetrics } from './describe-metrics';

@Controller('metrics')
export class OpenMetricsController {
  constructor(@Inject(METRICS_OPTIONS) private readonly options: MetricsOptions) {}

  @Get()
  @Described(openMetrics)
  async all(@Res() reply: FastifyReply): Promise<void> {
    const text = await writeOpenMetrics(this.options.families);
    await reply.header('content-type', openMetricsType).header('cache-control', 'no-cache').send(text);
  }
}

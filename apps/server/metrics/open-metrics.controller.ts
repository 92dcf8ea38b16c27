import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { openMetricsType, writeOpenMetrics } from '#openmetrics';
import { requireMetricsClient } from './metrics-client';
import { METRICS_OPTIONS, type MetricsOptions } from './metrics-options';

/** `/metrics`: for Prometheus and all that reads OpenMetrics. */
@Controller('metrics')
export class OpenMetricsController {
  constructor(@Inject(METRICS_OPTIONS) private readonly options: MetricsOptions) {}

  @Get()
  async all(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireMetricsClient(request);
    const text = await writeOpenMetrics(this.options.families);
    await reply.header('content-type', openMetricsType).header('cache-control', 'no-cache').send(text);
  }
}

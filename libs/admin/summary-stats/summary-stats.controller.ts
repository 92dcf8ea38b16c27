import { Controller, Get, Post, Res } from '@nestjs/common';
import { jsonType, type FastifyReply } from '#http';
import { Described } from '#openapi';
import { SummaryStats } from './summary-stats';
import { summaryStats, summaryStatsByPost } from '../http/describe-admin';

/** Ignores parameters and bodies. */
@Controller('pdb/admin/v1/summary-stats')
export class SummaryStatsController {
  constructor(private readonly stats: SummaryStats) {}

  @Get()
  @Described(summaryStats)
  async get(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .status(200)
      .header('content-type', jsonType)
      .send(JSON.stringify(await this.stats.read()));
  }

  @Post()
  @Described(summaryStatsByPost)
  post(@Res() reply: FastifyReply): Promise<void> {
    return this.get(reply);
  }
}

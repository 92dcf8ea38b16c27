import { Controller, Get, Req, Res } from '@nestjs/common';
import { answerText, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import { Described } from '#openapi';
import { ChangeTables } from '../reading/change-tables';
import { describeTimeline } from './describe-timeline';
import { readTimeline } from './read-timeline';
import { readTimelineRequest } from './timeline-request';

@Controller('nodeledger/v1/timeline')
export class TimelineController {
  constructor(private readonly tables: ChangeTables) {}

  @Get()
  @Described(describeTimeline)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const timelineRequest = readTimelineRequest(request.url, this.tables.limits);
    const text = await this.tables.read(request, reply, (reader) => readTimeline(timelineRequest, reader));
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    await answerText(reply, text);
  }
}

import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { auditedRequest, AuditLog } from '#access';
import { type FastifyReply, type FastifyRequest, jsonType, requestBody, requireJsonContent } from '#http';
import { Described } from '#openapi';
import * as described from './descriptions';
import { readWorkRequest } from './work-kinds';
import { type Work, Works } from './works';

const longestBody = 1_000;

@Controller('nodeledger/v1/operation/work')
export class WorkController {
  constructor(
    private readonly works: Works,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Described(described.listWork)
  list(@Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    return { work: this.works.list().map(workJson) };
  }

  @Post()
  @HttpCode(202)
  @Described(described.startWork)
  async start(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    requireJsonContent(request.headers['content-type']);
    const workRequest = readWorkRequest((await requestBody(request, longestBody)).toString('utf8'));
    const action = auditedRequest(request, `start ${workRequest.kind}`, workRequest.unfinished ?? null);
    const work = await this.audit.record(action, () => this.works.start(workRequest, action.actor));
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    return { id: work.id };
  }

  @Delete(':id')
  @HttpCode(204)
  @Described(described.stopWork)
  async stop(@Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    await this.audit.record(auditedRequest(request, 'stop work', id), async () => this.works.stop(id));
  }
}

const workJson = ({ id, kind, actor, started, ended, state, progress, output }: Work): object => ({
  id,
  kind,
  actor,
  started,
  ended: ended ?? null,
  state,
  progress:
    progress === undefined
      ? null
      : {
          step: progress.step,
          done: progress.done,
          of: progress.total,
          unit: progress.unit,
          seconds_left: progress.secondsLeft ?? null,
        },
  output,
});

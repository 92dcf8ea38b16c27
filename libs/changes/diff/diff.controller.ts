import { Controller, Get, Req, Res } from '@nestjs/common';
import { answerText, type FastifyReply, type FastifyRequest, jsonType, textType } from '#http';
import { Described } from '#openapi';
import { stringifyAst } from '#query';
import { ChangeTables } from '../reading/change-tables';
import { describeDiff } from './describe-diff';
import { type DiffFormat, readDiffRequest } from './diff-request';
import { type Difference, differenceJson, differencePatch, differenceText, readDifference } from './read-diff';
import { describeRunDiff } from './runs/describe-run-diff';
import { readRunDiff, readRunDiffRequest } from './runs/read-run-diff';

const formats: Readonly<Record<DiffFormat, { readonly type: string; readonly write: (found: Difference) => string }>> =
  {
    json: { type: jsonType, write: differenceJson },
    'json-patch': { type: 'application/json-patch+json', write: (found) => stringifyAst(differencePatch(found)) },
    text: { type: textType, write: differenceText },
  };

@Controller('nodeledger/v1/diff')
export class DiffController {
  constructor(private readonly tables: ChangeTables) {}

  @Get()
  @Described(describeDiff)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const diffRequest = readDiffRequest(request.url, this.tables.limits);
    const found = await this.tables.read(request, reply, (reader) => readDifference(diffRequest, reader));
    await send(reply, diffRequest.format, found);
  }

  @Get('runs')
  @Described(describeRunDiff)
  async getRuns(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const diffRequest = readRunDiffRequest(request.url, this.tables.limits);
    const found = await this.tables.read(request, reply, (reader) => readRunDiff(diffRequest, reader));
    await send(reply, diffRequest.format, found);
  }
}

async function send(reply: FastifyReply, format: DiffFormat, found: Difference): Promise<void> {
  const { type, write } = formats[format];
  void reply.headers({ 'content-type': type, 'cache-control': 'no-store' });
  await answerText(reply, write(found));
}

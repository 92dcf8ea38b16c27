import { Controller, Get, Req, Res } from '@nestjs/common';
import { answerText, type FastifyReply, type FastifyRequest, jsonType, textType } from '#http';
import { Described } from '#openapi';
import { stringifyAst } from '#query';
import { ChangeTables } from '../reading/change-tables';
import { describeDiff } from './describe-diff';
import { readDiffRequest } from './diff-request';
import { type Difference, differenceJson, differencePatch, differenceText, readDifference } from './read-diff';

const formats: Readonly<Record<string, { readonly type: string; readonly write: (found: Difference) => string }>> = {
  json: { type: jsonType, write: (found) => stringifyAst(differenceJson(found)) },
  'json-patch': { type: 'application/json-patch+json', write: (found) => stringifyAst(differencePatch(found)) },
  text: { type: textType, write: differenceText },
};

@Controller('nodeledger/v1/diff')
export class DiffController {
  constructor(private readonly tables: ChangeTables) {}

  @Get()
  @Described(describeDiff)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = readDiffRequest(request.url, this.tables.limits);
    const found = await this.tables.read(request, reply, (reader) => readDifference(asked, reader));
    const { type, write } = formats[asked.format]!;
    void reply.headers({ 'content-type': type, 'cache-control': 'no-store' });
    await answerText(reply, write(found));
  }
}

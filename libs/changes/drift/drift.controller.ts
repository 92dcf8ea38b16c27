import { Controller, Get, Req, Res } from '@nestjs/common';
import { answerText, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import { Described } from '#openapi';
import { stringifyAst } from '#query';
import { ChangeTables } from '../reading/change-tables';
import { describeDrift } from './describe-drift';
import { readDriftRequest } from './drift-request';
import { readDrift } from './read-drift';

@Controller('nodeledger/v1/drift')
export class DriftController {
  constructor(private readonly tables: ChangeTables) {}

  @Get()
  @Described(describeDrift)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const driftRequest = readDriftRequest(request.url, this.tables.target);
    const found = await this.tables.read(request, reply, (reader) => readDrift(driftRequest, reader));
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    await answerText(reply, stringifyAst(found));
  }
}

import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described } from '#openapi';
import { FleetReader } from '../reading/fleet-reader';
import { describeNodeList } from './describe-node-list';
import { nodeListParameters, readNodeList } from './node-list-request';
import { nodeListSql } from './node-list-sql';

@Controller('nodeledger/v1/node-list')
export class NodeListController {
  constructor(private readonly fleet: FleetReader) {}

  @Get()
  @Described(describeNodeList)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = this.fleet.receive(request, reply, nodeListParameters);
    await received.answer(nodeListSql(readNodeList(received.parameters, this.fleet.target)));
  }
}

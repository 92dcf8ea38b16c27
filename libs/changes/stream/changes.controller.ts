import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '#http';
import { Described } from '#openapi';
import { earliestHeader, type QueryOptions, selectNodes, tableRequest, TableReader, targetOf } from '#query';
import { changeCondition } from '../filter/change-filter';
import { QUERIES } from '../reading/queries';
import { ChangeReader } from './change-reader';
import type { StreamChoice } from './change-stream';
import { describeChanges } from './describe-changes';
import { ChangesGone } from './history-state';
import { NodeCondition } from './node-condition';
import { OpenStreams } from './open-streams';
import { type ChangesRequest, readChangesRequest } from './read-changes-request';
import type { StreamPosition } from './stream-position';

@Controller('nodeledger/v1/changes')
export class ChangesController {
  private readonly tables: TableReader;

  constructor(
    @Inject(QUERIES) private readonly options: QueryOptions,
    private readonly reader: ChangeReader,
    private readonly streams: OpenStreams,
  ) {
    this.tables = new TableReader(options);
  }

  @Get()
  @Described(describeChanges)
  async follow(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const changesRequest = readChangesRequest(request, this.options.limits);
    await this.streams.send(request, reply, async () => ({
      choice: await this.choose(changesRequest, request, reply),
      position: await this.begin(changesRequest, reply),
    }));
  }

  private async choose(
    { filter, query, follows }: ChangesRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<StreamChoice> {
    const isChosen = changeCondition(filter);
    if (query === undefined) return { isChosen, follows };
    const nodes = selectNodes(query, targetOf(this.options), false);
    const condition = new NodeCondition(this.tables, nodes, this.options.limits, tableRequest(request, reply));
    await condition.check();
    return { isChosen, follows, matching: (certnames) => condition.matching(certnames) };
  }

  private async begin({ begin }: ChangesRequest, reply: FastifyReply): Promise<StreamPosition> {
    if (begin === undefined) return this.reader.present();
    if ('moment' in begin) return this.reader.at(begin.moment);
    try {
      // Reads no entries. This read only throws an error if the history does not contain the changes after the
      // position.
      await this.reader.readAfter(begin.position, { limit: 1, isWanted: () => false });
      return begin.position;
    } catch (error) {
      if (error instanceof ChangesGone && error.earliest !== undefined)
        void reply.header(earliestHeader, error.earliest);
      throw error;
    }
  }
}

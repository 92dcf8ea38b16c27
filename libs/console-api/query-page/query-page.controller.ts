import { Controller, Get, HttpCode, Inject, type OnModuleDestroy, Post, Req, Res } from '@nestjs/common';
import { CachedAnswer, clientAddress, clientGone, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import { Described } from '#openapi';
import { describeLanguage, languageOf, QueryChecker, type QueryOptions } from '#query';
import { readBodyText } from '../reading/body-text';
import { QUERIES } from '../reading/queries';
import * as described from './descriptions';

@Controller('nodeledger/v1')
export class QueryPageController implements OnModuleDestroy {
  private readonly checker: QueryChecker;
  private language: Promise<CachedAnswer> | undefined;

  constructor(@Inject(QUERIES) private readonly options: QueryOptions) {
    this.checker = new QueryChecker(options);
  }

  @Post('query-check')
  @HttpCode(200)
  @Described(described.queryCheck)
  async check(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = await readBodyText(request, this.options.limits, {
      name: 'query',
      form: 'the text of a query: {"query":"nodes {}"}',
    });
    const client = { address: clientAddress(request), signal: clientGone(reply) };
    const mistake = await this.checker.mistakeIn(query, client);
    const errors = mistake === undefined ? [] : [mistake];
    void reply.header('content-type', jsonType).send(JSON.stringify({ ok: errors.length === 0, errors }));
  }

  @Get('query-language')
  @Described(described.queryLanguage)
  async describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.language ??= CachedAnswer.of(
      jsonType,
      Buffer.from(JSON.stringify(describeLanguage(languageOf(this.options), this.options.edition))),
    );
    await (await this.language).send(request, reply);
  }

  onModuleDestroy(): Promise<void> {
    return this.checker.close();
  }
}

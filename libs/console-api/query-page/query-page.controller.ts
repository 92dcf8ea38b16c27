import { Controller, Get, HttpCode, Inject, type OnModuleDestroy, Post, Req, Res } from '@nestjs/common';
import { Fault } from '#fault';
import {
  CachedAnswer,
  clientAddress,
  clientGone,
  type FastifyReply,
  type FastifyRequest,
  jsonType,
  requestBody,
  requireJsonContent,
} from '#http';
import { overLimit } from '#limits';
import { Described } from '#openapi';
import { describeLanguage, isMap, languageOf, parseAst, QueryChecker, type QueryOptions } from '#query';
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
    const query = await this.queryOf(request);
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

  private async queryOf(request: FastifyRequest): Promise<string> {
    const { limits } = this.options;
    requireJsonContent(request.headers['content-type']);
    const body = await requestBody(request, limits.consoleBodyBytes, (found) =>
      overLimit(limits, 'consoleBodyBytes', found),
    );
    const value = parseAst(body.toString('utf8'), limits);
    const query = isMap(value) && value.size === 1 ? value.get('query') : undefined;
    if (typeof query === 'string') return query;
    throw new Fault(
      'malformed',
      'query.body',
      'The body is a JSON object with the text of a query: {"query":"nodes {}"}.',
    );
  }
}

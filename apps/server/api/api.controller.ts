import { Controller, Get, Inject, NotFoundException, Param, Res, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type FastifyReply, jsonType } from '#http';
import { Described, makeDocument } from '#openapi';
import { API_OPTIONS, type ApiOptions } from './api-options';
import { describedRoutes } from './described-routes';
import * as descriptions from './descriptions';
import { exampleValues } from './example-values';
import { pageHeaders, viewerFile, type ViewerFile, viewerPage } from './viewer';

/** `/openapi.json`: the routes of this process as an OpenAPI document; `/docs/api`: a page that shows it. */
@Controller()
export class ApiController {
  /** Made at the first request and then once a day, because examples contain times of the current day. */
  private made: { readonly day: string; readonly text: string } | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  @Get('openapi.json')
  @Described(descriptions.document)
  async document(@Res() reply: FastifyReply): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    if (this.made?.day !== day) this.made = { day, text: this.make(day) };
    await reply.header('content-type', jsonType).header('cache-control', 'no-cache').send(this.made.text);
  }

  @Get('docs/api')
  @Described(descriptions.page)
  page(@Res() reply: FastifyReply): Promise<void> {
    return send(reply, viewerPage);
  }

  @Get('docs/api/:file')
  @Described(descriptions.asset)
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    const file = await viewerFile(name);
    if (file === undefined) throw new NotFoundException();
    await send(reply, file);
  }

  private make(day: string): string {
    const controllers = [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].map(({ metatype }) => metatype as Type),
    );
    const context = { ...this.options, examples: exampleValues(day) };
    return JSON.stringify(makeDocument(describedRoutes(controllers, context), context));
  }
}

async function send(reply: FastifyReply, { type, content }: ViewerFile): Promise<void> {
  await reply.headers({ ...pageHeaders, 'content-type': type }).send(content);
}

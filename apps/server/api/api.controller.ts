import { Controller, Get, Inject, NotFoundException, Param, Req, Res, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CachedAnswer, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import { Described, makeDocument } from '#openapi';
import { API_OPTIONS, type ApiOptions } from './api-options';
import { describedRoutes } from './described-routes';
import * as descriptions from './descriptions';
import { exampleValues } from './example-values';
import { Viewer, viewerHeaders } from './viewer';

@Controller()
export class ApiController {
  private readonly viewer = new Viewer();
  /** The examples contain times of the current day, so the first request on another day creates a new document. */
  private made: { readonly day: string; readonly answer: Promise<CachedAnswer> } | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  @Get('openapi.json')
  @Described(descriptions.document)
  async document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    if (this.made?.day !== day) this.made = { day, answer: this.make(day) };
    await (await this.made.answer).send(request, reply);
  }

  @Get('docs/api')
  @Described(descriptions.page)
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await (await this.viewer.page()).send(request, reply, viewerHeaders);
  }

  @Get('docs/api/:file')
  @Described(descriptions.asset)
  async file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const file = this.viewer.file(name);
    if (file === undefined) throw new NotFoundException();
    await (await file).send(request, reply, viewerHeaders);
  }

  private async make(day: string): Promise<CachedAnswer> {
    const controllers = [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].map(({ metatype }) => metatype as Type),
    );
    const context = { ...this.options, examples: exampleValues(day) };
    const document = makeDocument(describedRoutes(controllers, context), context);
    return CachedAnswer.of(jsonType, Buffer.from(JSON.stringify(document)));
  }
}

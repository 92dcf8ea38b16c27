import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest, pageHeaders } from '#http';
import { Described } from '#openapi';
import { ConsoleFiles } from './console-files';
import * as described from './descriptions';

/** Allows a `base` element, because the page needs one for its relative URLs. */
const headers = pageHeaders({
  'base-uri': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'nodeledger',
});
/** A file's name changes with its content, so a browser may cache a file for a year. */
const fileHeaders = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' };

/** Every address below `/console` gets the same page, whose script reads the address. */
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get('assets/:file')
  @Described(described.asset)
  async asset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.files.asset(pathOf(request).slice('/console/assets/'.length));
    if (file === undefined) throw new NotFoundException();
    await file.send(request, reply, fileHeaders);
  }

  @Get(['', '*'])
  @Described(described.pages)
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = this.files.page(pathOf(request));
    if (page === undefined) throw new NotFoundException();
    await (await page).send(request, reply, headers);
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url;

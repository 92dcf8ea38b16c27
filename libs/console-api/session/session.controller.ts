import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { Access, endedCookies, sessionCookie } from '#access';
import { Fault } from '#fault';
import { callerOf, type FastifyReply, type FastifyRequest, jsonType, requestBody, requireJsonContent } from '#http';
import { overLimit } from '#limits';
import { Described } from '#openapi';
import { isMap, parseAst } from '#query';
import { FleetReader } from '../reading/fleet-reader';
import * as described from './descriptions';
import { type Me, meOf } from './me-answer';

@Controller('nodeledger/v1')
export class SessionController {
  constructor(
    @Inject(Access) private readonly access: Access,
    private readonly fleet: FleetReader,
  ) {}

  @Get('me')
  @Described(described.me)
  async me(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Me> {
    void reply.headers({ 'content-type': jsonType, 'cache-control': 'no-store' });
    return meOf(await this.access.identityOf(request));
  }

  @Post('session')
  @HttpCode(200)
  @Described(described.signIn)
  async signIn(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Me> {
    const session = await this.access.signIn(await this.tokenOf(request));
    const me = meOf(await this.access.identify({ session }));
    const { origin } = request.headers;
    const secure = callerOf(request).secure || origin?.startsWith('https:') === true;
    void reply.headers({
      'content-type': jsonType,
      'cache-control': 'no-store',
      'set-cookie': sessionCookie(session, { secure }),
    });
    return me;
  }

  @Delete('session')
  @HttpCode(204)
  @Described(described.signOut)
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.access.signOut(request);
    void reply.header('set-cookie', endedCookies);
  }

  private async tokenOf(request: FastifyRequest): Promise<string> {
    const { limits } = this.fleet;
    requireJsonContent(request.headers['content-type']);
    const body = await requestBody(request, limits.consoleBodyBytes, (found) =>
      overLimit(limits, 'consoleBodyBytes', found),
    );
    const value = parseAst(body.toString('utf8'), limits);
    const token = isMap(value) && value.size === 1 ? value.get('token') : undefined;
    if (typeof token === 'string') return token;
    throw new Fault('malformed', 'query.body', 'The body is a JSON object with the token: {"token":"nlt_…"}.');
  }
}

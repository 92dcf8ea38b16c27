import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { Access, endedCookies, sessionCookie } from '#access';
import { callerOf, type FastifyReply, type FastifyRequest, jsonType } from '#http';
import { Described } from '#openapi';
import { readBodyText } from '../reading/body-text';
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
    const token = await readBodyText(request, this.fleet.limits, {
      name: 'token',
      form: 'the token: {"token":"nlt_…"}',
    });
    const session = await this.access.signIn(token);
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
}

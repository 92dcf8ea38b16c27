import { All, Controller, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WaitOptions } from '#database';
import { callerOf, clientAddress, clientGone, requestIdentity, type FastifyReply, type FastifyRequest } from '#http';
import { Described } from '#openapi';
import { IntakeLimits } from '../intake-limits';
import { readParameterForm } from '../parameter-form';
import { BodyReader } from '../reading/body-reader';
import type { Submission } from '../submission';
import { SubmitCommand } from '../submit/submit-command';
import { requireOwnDocument } from './own-documents';
import { checkRequest, inflatedBody } from './request-checks';
import { sendAnswer } from './send-answer';
import { describeCommands } from './describe-commands';

/**
 * Accepts commands in both forms: with parameters in the URL, or with all members in the body. Like PuppetDB, accepts
 * every method that has a body.
 */
@Controller('pdb/cmd')
export class CommandController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: IntakeLimits,
    private readonly reader: BodyReader,
  ) {}

  @All('v1')
  @Described(describeCommands)
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const receivedAt = Date.now();
    const submission = await this.read(request, reply, receivedAt);
    requireOwnDocument(callerOf(request), submission);
    const client = submission.waitMs > 0 ? clientOf(request, reply) : undefined;
    const command = new SubmitCommand(submission, receivedAt, client, requestIdentity(request));
    await sendAnswer(reply, await this.commands.execute(command));
  }

  private async read(request: FastifyRequest, reply: FastifyReply, receivedAt: number): Promise<Submission> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const encoding = checkRequest(request, body, this.limits);
    const mark = request.url.indexOf('?');
    const parameters = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
    if (parameters.has('command')) return readParameterForm(parameters, { payload: body, encoding });
    const bytes = await inflatedBody(request, this.limits);
    return this.reader.read('bodyForm', bytes, receivedAt, clientOf(request, reply));
  }
}

const clientOf = (request: FastifyRequest, reply: FastifyReply): WaitOptions => ({
  signal: clientGone(reply),
  address: clientAddress(request),
});

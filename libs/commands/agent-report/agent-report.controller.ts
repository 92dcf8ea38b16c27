import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isFault } from '#fault';
import {
  callerOf,
  clientAddress,
  clientGone,
  codeHeader,
  jsonType,
  requestIdentity,
  type FastifyReply,
  type FastifyRequest,
} from '#http';
import { Described } from '#openapi';
import { requireOwnDocument } from '../http/own-documents';
import { checkRequest, inflatedBody, tooLarge } from '../http/request-checks';
import { sendAnswer } from '../http/send-answer';
import { IntakeLimits } from '../intake-limits';
import { BodyReader } from '../reading/body-reader';
import type { ReadReport } from '../reading/readers';
import { SubmitCommand } from '../submit/submit-command';
import { reportSubmission } from './report-submission';
import { describeAgentReport } from './describe-agent-report';

@Controller('nodeledger/v1/agent-reports')
export class AgentReportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: IntakeLimits,
    private readonly reader: BodyReader,
  ) {}

  @Post()
  @Described(describeAgentReport)
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const receivedAt = Date.now();
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    checkRequest(request, body, this.limits);
    const bytes = await inflatedBody(request, this.limits);
    const client = { signal: clientGone(reply), address: clientAddress(request) };
    let report: ReadReport;
    try {
      report = await this.reader.read('agentReport', bytes, receivedAt, client);
    } catch (error) {
      if (!isFault(error) || error.code !== 'wire.shape') throw error;
      // The response contains all problems of the report. Responses to other faults contain only a message.
      const refusal = JSON.stringify({ error: error.message, problems: error.details });
      return void (await reply
        .status(400)
        .headers(codeHeader(error.code))
        .header('content-type', jsonType)
        .send(refusal));
    }
    const mark = request.url.indexOf('?');
    const submission = reportSubmission(report, new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1)));
    requireOwnDocument(callerOf(request), submission);
    // The converted report can be larger than the body, because control characters and quotes in values take more
    // space.
    if (submission.payload.length > this.limits.maxPayloadBytes) throw tooLarge();
    const command = new SubmitCommand(submission, receivedAt, client, requestIdentity(request));
    await sendAnswer(reply, await this.commands.execute(command));
  }
}

import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { auditedRequest, AuditLog } from '#access';
import { jsonType, requestBody, requireJsonContent, type FastifyReply, type FastifyRequest } from '#http';
import { Described } from '#openapi';
import { Clean } from '../clean/clean';
import type { DeleteNode } from '../delete-node/delete-node';
import { readAdminCommand } from './read-admin-command';
import { describeAdmin } from './describe-admin';

const maxBodyBytes = 1_000_000;

/** Sends the answer only when queries already show the result. */
@Controller('pdb/admin/v1')
export class AdminController {
  constructor(
    private readonly commands: CommandBus,
    private readonly audit: AuditLog,
  ) {}

  @Post('cmd')
  @Described(describeAdmin)
  async run(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireJsonContent(request.headers['content-type']);
    const command = readAdminCommand(await requestBody(request, maxBodyBytes));
    const subject = command instanceof Clean ? null : command.certname;
    const action = auditedRequest(request, command instanceof Clean ? 'clean' : 'delete node', subject);
    const answer = await this.audit.record(action, () => this.execute(command));
    await reply.status(200).header('content-type', jsonType).send(JSON.stringify(answer));
  }

  private async execute(command: Clean | DeleteNode): Promise<object> {
    await this.commands.execute<Clean | DeleteNode, unknown>(command);
    return command instanceof Clean ? { ok: true } : { deleted: command.certname };
  }
}

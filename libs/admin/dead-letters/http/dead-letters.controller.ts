import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { auditedRequest, AuditLog } from '#access';
import { answerBytes, clientGone, jsonType, type FastifyReply, type FastifyRequest } from '#http';
import { Described } from '#openapi';
import { DeadLetterStore } from '#projections';
import { PurgeDeadLetters } from '../purge/purge-dead-letters';
import { requireWaiting } from '../require-waiting';
import { RetryDeadLetters } from '../retry/retry-dead-letters';
import { letterJson } from './letter-json';
import { readLetter, readLettersRequest, requireSomeFilter } from './read-letters-request';
import * as described from './describe-letters';

/**
 * A request selects one dead letter by its name, or all that match `command`, `certname` and `since`. Requests have no
 * bodies. Answers are JSON, except for the payload of a command.
 */
@Controller('nodeledger/v1/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly letterStore: DeadLetterStore,
    private readonly commands: CommandBus,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Described(described.listLetters)
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { filter, limit, offset } = readLettersRequest(request.url, ['limit', 'offset']);
    const { total, letters } = await this.letterStore.list(filter, { limit, offset });
    await answer(reply, { total, offset, letters: letters.map(letterJson) });
  }

  @Get(':name')
  @Described(described.showLetter)
  async show(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const position = readLetter(name);
    await answer(reply, letterJson(requireWaiting(position, await this.letterStore.find(position))));
  }

  @Get(':name/payload')
  @Described(described.letterPayload)
  async payload(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const position = readLetter(name);
    const found = await this.letterStore.payload(position);
    if (found === undefined) {
      requireWaiting(position, await this.letterStore.find(position));
      return;
    }
    const type = found.encoding === 'gzip' ? 'application/gzip' : 'application/octet-stream';
    void reply.header('content-type', type).header('x-content-type-options', 'nosniff');
    await answerBytes(reply, found.pieces, found.payloadBytes);
  }

  @Post('retry')
  @Described(described.retryLetters)
  async retryMatching(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const read = readLettersRequest(request.url, ['wait', 'all']);
    const matching = requireSomeFilter(read);
    const retry = new RetryDeadLetters({ matching }, read.waitMs, clientGone(reply));
    const action = auditedRequest(request, 'retry dead letters', JSON.stringify(matching));
    await answer(reply, await this.audit.record(action, () => this.commands.execute(retry)));
  }

  @Post(':name/retry')
  @Described(described.retryLetter)
  async retry(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { waitMs } = readLettersRequest(request.url, ['wait']);
    const letter = readLetter(name);
    const retry = new RetryDeadLetters({ letter }, waitMs, clientGone(reply));
    const action = auditedRequest(request, 'retry dead letter', name);
    await answer(reply, await this.audit.record(action, () => this.commands.execute(retry)));
  }

  @Delete()
  @Described(described.purgeLetters)
  async purgeMatching(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const matching = requireSomeFilter(readLettersRequest(request.url, ['all']));
    const action = auditedRequest(request, 'purge dead letters', JSON.stringify(matching));
    await answer(
      reply,
      await this.audit.record(action, () => this.commands.execute(new PurgeDeadLetters({ matching }))),
    );
  }

  @Delete(':name')
  @Described(described.purgeLetter)
  async purge(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const purge = new PurgeDeadLetters({ letter: readLetter(name) });
    const action = auditedRequest(request, 'purge dead letter', name);
    await answer(reply, await this.audit.record(action, () => this.commands.execute(purge)));
  }
}

async function answer(reply: FastifyReply, body: object): Promise<void> {
  await reply.status(200).header('content-type', jsonType).send(JSON.stringify(body));
}

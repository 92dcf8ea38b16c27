import { Controller, Delete, Get, Inject, Param, Post, Put, Req, Res } from '@nestjs/common';
import { auditedRequest, AuditLog } from '#access';
import { jsonType, requestBody, requireJsonContent, type FastifyReply, type FastifyRequest } from '#http';
import { Described } from '#openapi';
import type { Moment } from '#query';
import type { StreamPosition } from '../../stream/stream-position';
import { tryReceiver } from '../delivery/try-receiver';
import type { Subscription } from '../subscriptions/subscription';
import * as described from './describe-subscriptions';
import {
  readDeliveriesRequest,
  readNewSubscription,
  readReplayRequest,
  readSubscriptionChange,
} from './read-subscription-request';
import { subscriptionJson } from './subscription-json';
import { WEBHOOK_PARTS, type WebhookParts } from '../webhook-parts';

const maxBodyBytes = 300_000;

/** No answer contains a secret. */
@Controller('nodeledger/v1/subscriptions')
export class SubscriptionsController {
  constructor(
    @Inject(WEBHOOK_PARTS) private readonly parts: WebhookParts,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Described(described.listSubscriptions)
  async list(@Res() reply: FastifyReply): Promise<void> {
    const found = await this.parts.table.list();
    await answer(reply, { subscriptions: found.map(subscriptionJson) });
  }

  @Post()
  @Described(described.createSubscription)
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { table, sender } = this.parts;
    const { subscription, from } = readNewSubscription(await bodyOf(request), sender.rules);
    const created = await this.audited(request, 'create subscription', subscription.name, async () =>
      table.create(subscription, await this.positionAt(from)),
    );
    await answer(reply, subscriptionJson(created), 201);
  }

  @Get(':name')
  @Described(described.showSubscription)
  async show(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    await answer(reply, subscriptionJson(await this.parts.table.find(name)));
  }

  @Put(':name')
  @Described(described.changeSubscription)
  async change(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { table, sender } = this.parts;
    const change = readSubscriptionChange(await bodyOf(request), sender.rules);
    const changed = await this.audited(request, 'change subscription', name, () => table.change(name, change));
    await answer(reply, subscriptionJson(changed));
  }

  @Delete(':name')
  @Described(described.removeSubscription)
  async remove(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.audited(request, 'remove subscription', name, () => this.parts.table.remove(name));
    await reply.status(204).send();
  }

  @Post(':name/pause')
  @Described(described.pauseSubscription)
  async pause(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const paused = await this.audited(request, 'pause subscription', name, () => this.parts.table.pause(name));
    await answer(reply, subscriptionJson(paused));
  }

  @Post(':name/resume')
  @Described(described.resumeSubscription)
  async resume(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const resumed = await this.audited(request, 'resume subscription', name, () => this.parts.table.resume(name));
    await answer(reply, subscriptionJson(resumed));
  }

  @Post(':name/replay')
  @Described(described.replaySubscription)
  async replay(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { from, text } = readReplayRequest(request.url);
    const replayed = await this.audited(request, 'replay subscription', `${name} from ${text}`, async () =>
      this.parts.table.replay(name, await this.positionAt(from)),
    );
    await answer(reply, subscriptionJson(replayed));
  }

  @Post(':name/test')
  @Described(described.testSubscription)
  async test(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const attempt = await this.audited(request, 'test subscription', name, async () =>
      tryReceiver(await this.parts.table.find(name), this.parts),
    );
    const { status, ms, error } = attempt;
    await answer(reply, { delivered: error === undefined, status, ms, error: error ?? null });
  }

  @Get(':name/deliveries')
  @Described(described.listDeliveries)
  async deliveries(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { limit, before } = readDeliveriesRequest(request.url);
    const { id } = await this.parts.table.find(name);
    const deliveries = await this.parts.log.list(id, { limit, before });
    await answer(reply, { deliveries, next: deliveries.length < limit ? null : (deliveries.at(-1)?.id ?? null) });
  }

  private audited<T extends Subscription | object | void>(
    request: FastifyRequest,
    action: string,
    subject: string,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.audit.record(auditedRequest(request, action, subject), work);
  }

  private positionAt(from: Moment | undefined): Promise<StreamPosition> {
    const { reader } = this.parts;
    return from === undefined ? reader.present() : reader.at(from);
  }
}

async function bodyOf(request: FastifyRequest): Promise<Buffer> {
  requireJsonContent(request.headers['content-type']);
  return requestBody(request, maxBodyBytes);
}

async function answer(reply: FastifyReply, body: object, status = 200): Promise<void> {
  await reply
    .status(status)
    .headers({ 'content-type': jsonType, 'cache-control': 'no-store' })
    .send(JSON.stringify(body));
}

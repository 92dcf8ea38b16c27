import { type DynamicModule, Module } from '@nestjs/common';
import { AuditLog } from '#access';
import { SubscriptionsController } from './http/subscriptions.controller';
import { WEBHOOK_PARTS, type WebhookParts } from './webhook-parts';

/** The endpoints of subscriptions. A process serves them only if it runs the component `write`. */
@Module({})
export class WebhooksModule {
  static register(parts: WebhookParts): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [SubscriptionsController],
      providers: [
        { provide: WEBHOOK_PARTS, useValue: parts },
        { provide: AuditLog, useValue: new AuditLog(parts.db) },
      ],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule, type AdminOptions } from '#admin';
import { type ExportHttpOptions, ExportModule, ImportModule, type ImportOptions } from '#archive';
import { ChangesModule, type ChangesOptions, type WebhookParts, WebhooksModule } from '#changes';
import { CommandsModule, type CommandsOptions } from '#commands';
import type { Access } from '#access';
import { ConsoleApiModule } from '#console-api';
import type { ServiceState } from '#observe';
import { ObserveModule } from '#observe/http';
import { QueryModule, type QueryOptions } from '#query';
import type { ApiOptions } from './api/api-options';
import { ApiModule } from './api/api.module';
import { ConnectionCloser } from './connection-closer';
import { ConsoleModule } from './console/console.module';
import type { MetricsOptions } from './metrics/metrics-options';
import { MetricsModule } from './metrics/metrics.module';
import { OperationModule, type OperationOptions } from './operation/operation.module';

export interface ServerParts {
  readonly write?: {
    readonly commands: CommandsOptions;
    readonly admin: AdminOptions;
    readonly imports: ImportOptions;
    readonly operation: OperationOptions;
  };
  readonly exports?: ExportHttpOptions;
  readonly queries?: QueryOptions;
  readonly changes?: ChangesOptions;
  readonly console?: {
    readonly folder: string;
    readonly access: Access;
  };
  readonly webhooks?: WebhookParts;
  readonly state: ServiceState;
  readonly api: ApiOptions;
  readonly metrics: MetricsOptions;
}

@Module({})
export class ServerModule {
  static register({
    write,
    exports,
    queries,
    changes,
    console,
    webhooks,
    state,
    api,
    metrics,
  }: ServerParts): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        ObserveModule.register(state),
        ApiModule.register(api),
        MetricsModule.register(metrics),
        ...(write === undefined
          ? []
          : [
              CommandsModule.register(write.commands),
              AdminModule.register(write.admin),
              ImportModule.register(write.imports),
              OperationModule.register(write.operation),
            ]),
        ...(exports === undefined ? [] : [ExportModule.register(exports)]),
        ...(webhooks === undefined ? [] : [WebhooksModule.register(webhooks)]),
        ...(queries === undefined ? [] : [QueryModule.register(queries)]),
        ...(changes === undefined ? [] : [ChangesModule.register(changes)]),
        ...(queries === undefined || console === undefined
          ? []
          : [ConsoleModule.register(console.folder), ConsoleApiModule.register({ queries, access: console.access })]),
      ],
      providers: [ConnectionCloser],
    };
  }
}

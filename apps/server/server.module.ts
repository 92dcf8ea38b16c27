import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule, type AdminOptions } from '#admin';
import { CommandsModule, type CommandsOptions } from '#commands';
import { ObserveModule, type ServiceState } from '#observe';
import { QueryModule, type QueryOptions } from '#query';
import { ConnectionCloser } from './connection-closer';

export interface ServerParts {
  readonly commands: CommandsOptions;
  readonly queries: QueryOptions;
  readonly admin: AdminOptions;
  readonly state: ServiceState;
}

/** The whole service in one process. */
@Module({})
export class ServerModule {
  static register({ commands, queries, admin, state }: ServerParts): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        ObserveModule.register(state),
        CommandsModule.register(commands),
        QueryModule.register(queries),
        AdminModule.register(admin),
      ],
      providers: [ConnectionCloser],
    };
  }
}

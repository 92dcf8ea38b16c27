import { type DynamicModule, Module } from '@nestjs/common';
import { MetaController } from './meta.controller';
import { RootController } from './root.controller';
import { ServiceState } from './service-state';
import { StatusController } from './status.controller';

/** What the service says of itself over HTTP: `/`, `/status/v1`, `/pdb/meta/v1`. */
@Module({})
export class ObserveModule {
  static register(state: ServiceState): DynamicModule {
    return {
      module: ObserveModule,
      controllers: [RootController, StatusController, MetaController],
      providers: [{ provide: ServiceState, useValue: state }],
      exports: [ServiceState],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { MetaController } from './meta.controller';
import { ProbeController } from './probe.controller';
import { RootController } from './root.controller';
import { ServiceState } from './service-state';
import { StatusController } from './status.controller';

@Module({})
export class ObserveModule {
  static register(state: ServiceState): DynamicModule {
    return {
      module: ObserveModule,
      controllers: [RootController, StatusController, MetaController, ProbeController],
      providers: [{ provide: ServiceState, useValue: state }],
      exports: [ServiceState],
    };
  }
}

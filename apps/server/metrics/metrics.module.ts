import { type DynamicModule, Module } from '@nestjs/common';
import { JolokiaController, MBeansController } from './jolokia.controller';
import { METRICS_OPTIONS, type MetricsOptions } from './metrics-options';
import { OpenMetricsController } from './open-metrics.controller';

@Module({})
export class MetricsModule {
  static register(options: MetricsOptions): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [OpenMetricsController, MBeansController, JolokiaController],
      providers: [{ provide: METRICS_OPTIONS, useValue: options }],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { ApiController } from './api.controller';
import { API_OPTIONS, type ApiOptions } from './api-options';

@Module({})
export class ApiModule {
  static register(options: ApiOptions): DynamicModule {
    return {
      module: ApiModule,
      controllers: [ApiController],
      providers: [{ provide: API_OPTIONS, useValue: options }],
    };
  }
}

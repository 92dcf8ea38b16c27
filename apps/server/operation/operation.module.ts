import { type DynamicModule, Module } from '@nestjs/common';
import type { SettingOrigin } from '#config';
import { OperationController, ORIGINS } from './operation.controller';
import { Operation } from './operation-report';

export interface OperationOptions {
  readonly operation: Operation;
  readonly origins: readonly SettingOrigin[];
}

@Module({})
export class OperationModule {
  static register({ operation, origins }: OperationOptions): DynamicModule {
    return {
      module: OperationModule,
      controllers: [OperationController],
      providers: [
        { provide: Operation, useValue: operation },
        { provide: ORIGINS, useValue: origins },
      ],
    };
  }
}

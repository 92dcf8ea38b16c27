import { type DynamicModule, Module } from '@nestjs/common';
import { AuditLog } from '#access';
import type { SettingOrigin } from '#config';
import type { Database } from '#database';
import { OperationController, ORIGINS } from './operation.controller';
import { Operation } from './operation-report';
import { WorkController } from './work/work.controller';
import { Works } from './work/works';

export interface OperationOptions {
  readonly operation: Operation;
  readonly origins: readonly SettingOrigin[];
  readonly works: Works;
  readonly database: Database;
}

@Module({})
export class OperationModule {
  static register({ operation, origins, works, database }: OperationOptions): DynamicModule {
    return {
      module: OperationModule,
      controllers: [OperationController, WorkController],
      providers: [
        { provide: Operation, useValue: operation },
        { provide: ORIGINS, useValue: origins },
        { provide: Works, useValue: works },
        { provide: AuditLog, useValue: new AuditLog(database) },
      ],
    };
  }
}

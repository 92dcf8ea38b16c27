import { type DynamicModule, Module } from '@nestjs/common';
import { AuditLog } from '#access';
import type { Database } from '#database';
import { ArchiveExports } from './archive-exports';
import { ExportController } from './export.controller';

export interface ExportHttpOptions {
  readonly database: Database;
  readonly exports: ArchiveExports;
}

@Module({})
export class ExportModule {
  static register({ database, exports }: ExportHttpOptions): DynamicModule {
    return {
      module: ExportModule,
      controllers: [ExportController],
      providers: [
        { provide: AuditLog, useValue: new AuditLog(database) },
        { provide: ArchiveExports, useValue: exports },
      ],
    };
  }
}

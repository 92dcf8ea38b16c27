import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditLog } from '#access';
import { type Database, Generations } from '#database';
import type { Limits } from '#limits';
import { StoredDocuments } from '#projections';
import { HeadReader } from './head-reader';
import { ImportController, ImportLimits } from './import.controller';

export interface ImportOptions {
  readonly database: Database;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
}

/** Requires the handlers of CommandsModule, because documents are submitted like other commands. */
@Module({})
export class ImportModule {
  static register({ database, limits, dropFact }: ImportOptions): DynamicModule {
    const stored = { db: database, generations: new Generations(database), limits, dropFact };
    return {
      module: ImportModule,
      imports: [CqrsModule],
      controllers: [ImportController],
      providers: [
        { provide: AuditLog, useValue: new AuditLog(database) },
        { provide: StoredDocuments, useValue: new StoredDocuments(stored) },
        HeadReader,
        { provide: ImportLimits, useValue: new ImportLimits(limits) },
      ],
    };
  }
}

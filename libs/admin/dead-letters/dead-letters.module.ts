import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditLog } from '#access';
import { Completions } from '#commands';
import { Database } from '#database';
import { CommandLog } from '#log';
import { DeadLetterStore } from '#projections';
import { DeadLettersController } from './http/dead-letters.controller';
import { PurgeDeadLettersHandler } from './purge/purge-dead-letters.handler';
import { RetryDeadLettersHandler } from './retry/retry-dead-letters.handler';

interface DeadLettersOptions {
  /** Its connections must be able to write. */
  readonly database: Database;
  /** Must be open, like `completions`. */
  readonly log: CommandLog;
  readonly completions: Completions;
}

@Module({})
export class DeadLettersModule {
  static register({ database, log, completions }: DeadLettersOptions): DynamicModule {
    return {
      module: DeadLettersModule,
      imports: [CqrsModule],
      controllers: [DeadLettersController],
      providers: [
        RetryDeadLettersHandler,
        PurgeDeadLettersHandler,
        { provide: DeadLetterStore, useValue: new DeadLetterStore(database) },
        { provide: AuditLog, useValue: new AuditLog(database) },
        { provide: CommandLog, useValue: log },
        { provide: Completions, useValue: completions },
      ],
    };
  }
}

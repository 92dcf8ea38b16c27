import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditLog } from '#access';
import { Completions } from '#commands';
import { Database, Generations } from '#database';
import { CommandLog } from '#log';
import { AgeLimits } from './age-limits';
import { CleaningObserver } from './clean/cleaning-observer';
import { CleanHandler } from './clean/clean.handler';
import { ClockGuard } from './clocks/clock-guard';
import { DeadLettersModule } from './dead-letters/dead-letters.module';
import { DeleteNodeHandler } from './delete-node/delete-node.handler';
import { AdminController } from './http/admin.controller';
import { MaintenanceRecords } from './maintenance-records';
import { SummaryStats } from './summary-stats/summary-stats';
import { SummaryStatsController } from './summary-stats/summary-stats.controller';

export interface AdminOptions {
  readonly database: Database;
  readonly generations: Generations;
  /** Must be open, like `completions`. */
  readonly log: CommandLog;
  readonly completions: Completions;
  readonly limits: AgeLimits;
  readonly clocks: ClockGuard;
  readonly watch?: CleaningObserver;
  readonly reportedVersion: string;
}

@Module({})
export class AdminModule {
  static register(options: AdminOptions): DynamicModule {
    const { database, generations, log, completions, limits, clocks, watch, reportedVersion } = options;
    return {
      module: AdminModule,
      imports: [CqrsModule, DeadLettersModule.register({ database, log, completions })],
      controllers: [AdminController, SummaryStatsController],
      providers: [
        CleanHandler,
        DeleteNodeHandler,
        MaintenanceRecords,
        { provide: Database, useValue: database },
        { provide: AuditLog, useValue: new AuditLog(database) },
        { provide: Generations, useValue: generations },
        { provide: CommandLog, useValue: log },
        { provide: Completions, useValue: completions },
        { provide: AgeLimits, useValue: limits },
        { provide: ClockGuard, useValue: clocks },
        { provide: CleaningObserver, useValue: watch ?? new CleaningObserver() },
        { provide: SummaryStats, useValue: new SummaryStats(database, generations, reportedVersion) },
      ],
    };
  }
}

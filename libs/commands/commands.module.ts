import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandLog } from '#log';
import { AgentReportController } from './agent-report/agent-report.controller';
import { ChecksumCheck, type ChecksumOptions } from './checksum-check';
import { Completions } from './completions';
import { CommandObserver } from './command-observer';
import { CommandController } from './http/command.controller';
import { IntakeLimits } from './intake-limits';
import { BodyReader } from './reading/body-reader';
import { SubmitCommandHandler } from './submit/submit-command.handler';

export interface CommandsOptions {
  /** Must be open. */
  readonly log: Pick<CommandLog, 'append'>;
  /** Must be open. */
  readonly completions: Completions;
  readonly limits: IntakeLimits;
  readonly checksums: ChecksumOptions;
  readonly watch?: CommandObserver;
}

const nobodyWatches: CommandObserver = { started: () => undefined, ended: () => undefined };

@Module({})
export class CommandsModule {
  static register({ log, completions, limits, checksums, watch }: CommandsOptions): DynamicModule {
    return {
      module: CommandsModule,
      imports: [CqrsModule],
      controllers: [CommandController, AgentReportController],
      providers: [
        SubmitCommandHandler,
        BodyReader,
        { provide: CommandLog, useValue: log },
        { provide: Completions, useValue: completions },
        { provide: CommandObserver, useValue: watch ?? nobodyWatches },
        { provide: IntakeLimits, useValue: limits },
        { provide: ChecksumCheck, useValue: new ChecksumCheck(checksums) },
      ],
    };
  }
}

import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandLog, type NewRecord, type Position } from '#log';
import { ChecksumCheck } from '../checksum-check';
import { Completions } from '../completions';
import { IntakeLimits } from '../intake-limits';
import { INTAKE_WATCH, type IntakeWatch } from './intake-watch';
import { SubmitCommand, type Submitted } from './submit-command';

/**
 * The submit pipeline: a checked submission in, a durable record and its uuid out.
 * Faults: those of the log; `command.invalid` where wrong checksums are refused.
 */
@CommandHandler(SubmitCommand)
export class SubmitCommandHandler implements ICommandHandler<SubmitCommand> {
  constructor(
    private readonly log: CommandLog,
    private readonly completions: Completions,
    private readonly limits: IntakeLimits,
    private readonly checksums: ChecksumCheck,
    @Inject(INTAKE_WATCH) private readonly watch: IntakeWatch | undefined,
  ) {}

  async execute({ submission, receivedAt, client }: SubmitCommand): Promise<Submitted> {
    await this.checksums.check(submission, this.limits.maxPayloadBytes);
    const { command, version, certname, encoding, payload, headers, waitMs } = submission;
    const uuid = randomUUID();
    const position = await this.append({
      uuid,
      command,
      version,
      certname,
      receivedAt,
      encoding,
      payload,
      headers,
    });
    if (waitMs <= 0) return { uuid, position };
    return { uuid, position, completion: await this.completions.wait(position, waitMs, client) };
  }

  private async append(record: NewRecord): Promise<Position> {
    const { command, version, payload } = record;
    const begun = performance.now();
    this.watch?.appending(command, version);
    try {
      const position = await this.log.append(record);
      this.watch?.appended(command, version, payload.length, performance.now() - begun);
      return position;
    } catch (error) {
      this.watch?.notAppended(command, version);
      throw error;
    }
  }
}

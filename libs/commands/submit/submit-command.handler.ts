import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isFault } from '#fault';
import { CommandLog, type Position } from '#log';
import { noSpan } from '#observe';
import { ChecksumCheck } from '../checksum-check';
import { type CommandRecord, CommandObserver } from '../command-observer';
import { Completions } from '../completions';
import { IntakeLimits } from '../intake-limits';
import { SubmitCommand, type Submitted } from './submit-command';

/**
 * Checks the checksum, and appends the command to the log. If the client asks for this, also waits until the command is
 * processed. Otherwise returns when the record is durable. Throws the faults of the log, and `command.invalid` if the
 * checksum is wrong and the policy is `refuse`.
 */
@CommandHandler(SubmitCommand)
export class SubmitCommandHandler implements ICommandHandler<SubmitCommand> {
  constructor(
    private readonly log: CommandLog,
    private readonly completions: Completions,
    private readonly limits: IntakeLimits,
    private readonly checksums: ChecksumCheck,
    private readonly watch: CommandObserver,
  ) {}

  async execute(submit: SubmitCommand): Promise<Submitted> {
    const { submission, client } = submit;
    await this.checksums.check(submission, this.limits.maxPayloadBytes);
    const uuid = randomUUID();
    const position = await this.append(submit, uuid);
    const { waitMs } = submission;
    if (waitMs <= 0) return { uuid, position };
    return { uuid, position, completion: await this.completions.wait(position, waitMs, client) };
  }

  private async append({ submission, receivedAt, identity }: SubmitCommand, uuid: string): Promise<Position> {
    const { command, version, certname, encoding, payload, headers } = submission;
    const about = { uuid, command, version, certname, bytes: payload.length };
    const span = (identity?.span ?? noSpan).child('append', {
      'nodeledger.command.name': command,
      'nodeledger.command.version': version,
      'nodeledger.command.uuid': uuid,
      'nodeledger.command.bytes': payload.length,
    });
    const start = performance.now();
    this.watch.started(command, version);
    const ended = (outcome: Pick<CommandRecord, 'position' | 'failure'>): void => {
      span.set({
        'nodeledger.log.partition': outcome.position?.partition,
        'nodeledger.log.offset': outcome.position?.offset,
      });
      span.end(outcome.failure);
      this.watch.ended({ identity, ...about, ms: performance.now() - start, ...outcome });
    };
    try {
      const record = { uuid, command, version, certname, receivedAt, encoding, payload, headers };
      const position = await this.log.append(record);
      ended({ position });
      return position;
    } catch (error) {
      ended({ failure: isFault(error) ? error.code : 'http.broken' });
      throw error;
    }
  }
}

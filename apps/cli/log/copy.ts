import { setTimeout as delay } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { settingTable, type Settings } from '#config';
import { connectedServices, type Database } from '#database';
import { Fault } from '#fault';
import { copyLog, type CopyOutcome } from '#projections';
import { logAt, logLocation } from '../../server/log-location';
import { formatRate } from '../amounts';
import { runMaintenance, withSettings, type MaintenanceWork } from '../maintenance/run-maintenance';
import { print } from '../print';

interface CopyFlags {
  readonly toTopic: string;
  readonly toBrokers?: readonly string[];
  readonly partitions?: number;
  readonly json?: true;
}

interface CopyTarget {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly partitions: number;
}

const goneMs = 3_000;

/** The copy becomes the log of the service. The read tables do not change. */
export function copyCommand(): Command {
  return withSettings(new Command('copy'))
    .description('copy the log to a new Kafka topic and continue the tables from there; the service must be stopped')
    .requiredOption('--to-topic <name>', 'a topic that does not exist yet', readBy('logTopic'))
    .option(
      '--to-brokers <addresses>',
      'host:port, separated by commas (default: KAFKA_BROKERS)',
      readBy('kafkaBrokers'),
    )
    .option(
      '--partitions <count>',
      'number of partitions of the new topic (default: as many as now)',
      readBy('logPartitions'),
    )
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: CopyFlags) => {
      const afterStop = `The service keeps its current log. Topic ${flags.toTopic} may contain part of a copy and cannot be used again: delete it, or name another one.`;
      const copied = await runMaintenance(
        settings,
        { afterStop, brokersAreTarget: true, audited: 'log copy' },
        (work) => copy(work, flags),
      );
      if (copied === undefined) return;
      const { target, ...outcome } = copied;
      print({ ...outcome, ...target }, flags, () => copyLines(outcome, target));
    });
}

async function copy(work: MaintenanceWork, flags: CopyFlags): Promise<CopyOutcome & { target: CopyTarget }> {
  const { settings, context, identity, say } = work;
  const brokers = flags.toBrokers ?? settings.kafkaBrokers;
  if (brokers === undefined) {
    throw new Fault('malformed', 'cli.no-brokers', 'the brokers of the new topic are not given', {
      hint: 'Give --to-brokers host:port,… or set KAFKA_BROKERS.',
    });
  }
  say('Everything that serves commands must be stopped until the copy is done and the new settings are in place.');
  await refuseWhileServed(context.db);
  const partitions = flags.partitions ?? identity.partitions;
  const aimed: Readonly<Settings> = {
    ...settings,
    kafkaBrokers: [...brokers],
    logTopic: flags.toTopic,
    logPartitions: partitions,
  };
  const target = logAt(await logLocation(aimed), context.db, { onNotice: say });
  try {
    const targetId = await target.open();
    if (targetId.logId === identity.logId) {
      throw new Fault('conflict', 'cli.same-log', `topic ${flags.toTopic} is the log that is in use`, {
        hint: 'Name a topic that does not exist yet.',
      });
    }
    const outcome = await copyLog(context, target, targetId);
    return { ...outcome, target: { brokers, topic: flags.toTopic, partitions: targetId.partitions } };
  } finally {
    await target.close();
  }
}

/**
 * Throws `cli.service-runs` if a service is connected to the database. The copy would lack the commands that this
 * service accepts during the copying, and the service would continue to use the old log.
 */
async function refuseWhileServed(db: Database): Promise<void> {
  // Checks several times, because the connections of a service that has just ended take a moment to close.
  for (const deadline = Date.now() + goneMs; (await connectedServices(db)) > 0; await delay(200)) {
    if (Date.now() < deadline) continue;
    throw new Fault('conflict', 'cli.service-runs', 'a service is running on this database', {
      hint: 'Stop every service that uses it, then copy; nothing was started.',
    });
  }
}

export function copyLines({ records, seconds }: CopyOutcome, { brokers, topic }: CopyTarget): string {
  return (
    `${formatRate(records, seconds)} copied to topic ${topic}; the read tables continue from there\n` +
    'Before the service is started, set:\n' +
    `  KAFKA_BROKERS=${brokers.join(',')}\n` +
    `  NODELEDGER_LOG_TOPIC=${topic}\n` +
    'The previous log still exists, and is no longer used.\n'
  );
}

/** Returns a parser for a flag that accepts the same values as the setting `name`. */
function readBy(name: 'logTopic' | 'kafkaBrokers' | 'logPartitions'): (text: string) => never {
  const setting = settingTable.find((entry) => entry.name === name);
  return (text) => {
    const value = setting?.read(text.trim());
    if (value === undefined) throw new InvalidArgumentError(`expected ${setting?.expects ?? 'another value'}`);
    return value as never;
  };
}

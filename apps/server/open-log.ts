import type { Settings } from '#config';
import type { Database } from '#database';
import { Fault } from '#fault';
import { type CommandLog, embeddedLogId } from '#log';
import { logAt, type LogHandling, logLocation } from './log-location';

/**
 * The caller must open the log. Throws `server.foreign-log` if the read tables were made from a log at another
 * location, because opening would then create a new log. Throws `config.file` if a file that the settings name cannot
 * be read.
 */
export async function openCommandLog(
  settings: Readonly<Settings>,
  db: Database,
  handling: LogHandling = {},
): Promise<CommandLog> {
  const log = logAt(await logLocation(settings), db, handling);
  if (handling.expectedLogId !== undefined) await checkLocation(settings, db, handling.expectedLogId);
  return log;
}

async function checkLocation(
  { kafkaBrokers, logTopic }: Readonly<Settings>,
  db: Database,
  logId: string,
): Promise<void> {
  const embedded = await embeddedLogId(db);
  if (kafkaBrokers !== undefined && embedded === logId) {
    throw new Fault(
      'conflict',
      'server.foreign-log',
      `the read tables were made from the embedded log of this database (${logId}), but KAFKA_BROKERS names Kafka, topic ${logTopic}`,
      {
        hint: `To move the log there, stop the service and copy it: nodeledger log copy --to-topic ${logTopic}. To stay, unset KAFKA_BROKERS. Nothing has been changed.`,
      },
    );
  }
  if (kafkaBrokers === undefined && embedded !== logId) {
    const here = embedded === undefined ? 'this database holds no embedded log' : `the embedded log is ${embedded}`;
    throw new Fault(
      'conflict',
      'server.foreign-log',
      `the read tables were made from log ${logId}, but KAFKA_BROKERS is not set and ${here}`,
      {
        hint: 'If that log is on Kafka, set KAFKA_BROKERS and NODELEDGER_LOG_TOPIC as before; otherwise point DATABASE_URL (or NODELEDGER_DATA_DIR) at the database that belongs to this log. Nothing has been changed.',
      },
    );
  }
}

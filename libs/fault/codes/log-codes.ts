import { codeTable } from './code-entry';

export const logCodes = codeTable({
  'log.unavailable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'The log is temporarily unavailable for commands or for reading.',
    remedy:
      'Wait for the time given in the Retry-After header and retry. Check that PostgreSQL or the brokers are running.',
  },
  'log.unreachable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'No Kafka broker answers.',
    remedy: 'Check that the brokers in KAFKA_BROKERS are running and that this machine can reach them.',
  },
  'log.no-leader': {
    shows: [503, 'service log'],
    meaning: 'A partition of the topic has no leader, so the service refuses commands for this partition.',
    remedy: 'Start one of the brokers listed in the message. The service continues automatically.',
  },
  'log.forbidden': {
    shows: [500, 'start', 'command line'],
    meaning: 'Kafka does not authorize this user for the operation.',
    remedy: 'Check the SASL user name and password, and the ACLs of that user.',
  },
  'log.full': {
    shows: [503],
    meaning: 'Too many commands are waiting to be stored, so the service accepts no more.',
    remedy: 'Retry the command after a short time.',
  },
  'log.too-large': {
    shows: [413],
    meaning: 'Kafka does not accept a record of this size.',
    remedy: 'Raise max.message.bytes of the topic, or send a smaller command.',
  },
  'log.unstorable': {
    shows: [400],
    meaning: 'The certname or a header contains a character that the log cannot store.',
    remedy: 'Remove U+0000 and unpaired surrogates.',
  },
  'log.append': {
    shows: [500],
    meaning: 'PostgreSQL refused to store the command, for a reason that is not temporary.',
    remedy: 'Check the logs of the service and of PostgreSQL.',
  },
  'log.foreign': {
    shows: ['start', 500, 'service log', 'command line'],
    meaning: 'The log does not belong to the read tables, or something other than the service has changed it.',
    remedy: 'Follow the hint. The service writes nothing to a log that does not belong to it.',
  },
  'log.missing': {
    shows: ['start', 'command line'],
    meaning: 'The topic of the log no longer exists.',
    remedy: 'Check KAFKA_BROKERS and NODELEDGER_LOG_TOPIC, or restore the topic.',
  },
  'log.truncated': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'Something other than the service has removed records from the topic that are still needed.',
    remedy: 'Restore the topic from a backup. Set its retention.ms and retention.bytes to -1.',
  },
  'log.topic-settings': {
    shows: ['start', 'command line'],
    meaning: 'The topic has settings that could lose or refuse records.',
    remedy: 'Run the command in the hint.',
  },
  'log.partitions': {
    shows: ['start', 'command line'],
    meaning: 'The number of partitions of the log has changed since it was created, or is not possible.',
    remedy: 'Copy the log to a topic with the number that you want: `nodeledger log copy`.',
  },
  'log.no-partition': {
    shows: ['service log', 'command line'],
    meaning: 'The log does not have this partition.',
    remedy: 'Check that the database and the log belong together.',
  },
  'log.no-record': {
    shows: ['service log', 'command line'],
    meaning: 'A record that the read tables refer to is not in the log.',
    remedy: 'Run `nodeledger verify`. Restore the log from a backup if records were lost.',
  },
  'log.past-end': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'The position of the read tables is past the end of the log.',
    remedy: 'The log was restored from an older backup. Restore both from one backup, or run `nodeledger rebuild`.',
  },
  'log.before-base': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables are older than the oldest records of the log.',
    remedy: 'Rebuild the tables: `nodeledger rebuild`.',
  },
  'log.gap': {
    shows: ['service log', 'command line'],
    meaning: 'A record in the middle of the log is missing. The service stops reading there and skips nothing.',
    remedy: 'Restore the log from a backup.',
  },
  'log.base': {
    shows: ['command line', 'service log'],
    meaning: 'The service cannot use the base that a snapshot has created.',
    remedy: 'Make the snapshot again. The log is unchanged.',
  },
  'log.base-superseded': {
    shows: ['command line', 'service log'],
    meaning: 'Another snapshot finished first.',
    remedy: 'No action is needed, or make the snapshot again. The log is unchanged.',
  },
  'log.not-empty': {
    shows: ['command line'],
    meaning: 'The target of the restore already contains a log or a part of one.',
    remedy: 'Restore into an empty database, or choose a topic that does not exist.',
  },
  'log.not-restored': {
    shows: ['command line'],
    meaning: 'Something else wrote to the topic during the restore.',
    remedy: 'Stop the other writer, delete the topic, and restore again.',
  },
});

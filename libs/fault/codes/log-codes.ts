import { codeTable } from './code-entry';

export const logCodes = codeTable({
  'log.unavailable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'The service temporarily cannot write to the log or read from the log.',
    remedy:
      'Wait for the time in the header Retry-After, then retry the request. Check that PostgreSQL or the brokers run.',
  },
  'log.unreachable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'No Kafka broker answers.',
    remedy: 'Check that the brokers in KAFKA_BROKERS run, and that this machine can connect to them.',
  },
  'log.no-leader': {
    shows: [503, 'service log'],
    meaning: 'A partition of the topic has no leader, so the service refuses commands for this partition.',
    remedy: 'Start one of the brokers in the message. The service then continues automatically.',
  },
  'log.forbidden': {
    shows: [500, 'start', 'command line'],
    meaning: 'The user of the service has no permission for this operation on Kafka.',
    remedy: 'Check the SASL user name and password, and the ACLs of the user.',
  },
  'log.full': {
    shows: [503],
    meaning: 'Too many commands are waiting for the log, so the service refuses further commands.',
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
    remedy: 'Remove the character U+0000 and unpaired surrogates from the certname and the headers.',
  },
  'log.append': {
    shows: [500],
    meaning: 'PostgreSQL refused to store the command, and a retry will probably not help.',
    remedy: 'Check the logs of the service and of PostgreSQL.',
  },
  'log.foreign': {
    shows: ['start', 500, 'service log', 'command line'],
    meaning: 'The log does not belong to the read tables, or another program has changed the log.',
    remedy: 'Follow the hint. The service writes nothing to a log that does not belong to it.',
  },
  'log.missing': {
    shows: ['start', 'command line'],
    meaning: 'The topic of the log does not exist any more.',
    remedy: 'Check KAFKA_BROKERS and NODELEDGER_LOG_TOPIC, or restore the topic.',
  },
  'log.truncated': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'Another program, or the retention of the topic, has removed records that the service needs.',
    remedy: 'Restore the topic from a backup. Set retention.ms and retention.bytes of the topic to -1.',
  },
  'log.topic-settings': {
    shows: ['start', 'command line'],
    meaning: 'With its current settings, the topic could lose or refuse records.',
    remedy: 'Run the command that the hint shows.',
  },
  'log.partitions': {
    shows: ['start', 'command line'],
    meaning: 'The number of partitions of the topic has changed, or is not allowed.',
    remedy: 'Copy the log to a topic with the right number of partitions: `nodeledger log copy`.',
  },
  'log.no-partition': {
    shows: ['service log', 'command line'],
    meaning: 'The log does not have this partition.',
    remedy: 'Check that the database and the log belong together.',
  },
  'log.no-record': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables refer to a record that the log does not contain.',
    remedy: 'Run `nodeledger verify`. Restore the log from a backup if records were lost.',
  },
  'log.past-end': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'The position of the read tables is after the end of the log.',
    remedy:
      'Probably the log was restored from an older backup. Restore the log and the tables from the same backup, or run `nodeledger rebuild`.',
  },
  'log.before-base': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables are older than the oldest records of the log.',
    remedy: 'Rebuild the tables: `nodeledger rebuild`.',
  },
  'log.gap': {
    shows: ['service log', 'command line'],
    meaning: 'A record in the middle of the log is missing. The service stops before the missing record.',
    remedy: 'Restore the log from a backup.',
  },
  'log.base': {
    shows: ['command line', 'service log'],
    meaning: 'The base that a snapshot has written is not usable.',
    remedy: 'Make the snapshot again. The log is unchanged.',
  },
  'log.base-superseded': {
    shows: ['command line', 'service log'],
    meaning: 'Another snapshot finished first.',
    remedy: 'No action is needed. The log is unchanged. If you need a newer snapshot, make the snapshot again.',
  },
  'log.not-empty': {
    shows: ['command line'],
    meaning: 'The target of the restore already contains a log, or a part of a log.',
    remedy: 'Restore into an empty database, or choose a topic that does not exist.',
  },
  'log.not-restored': {
    shows: ['command line'],
    meaning: 'Another program wrote to the topic during the restore.',
    remedy: 'Stop the other program, delete the topic, and run the restore again.',
  },
});

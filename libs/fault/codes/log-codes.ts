import { codeTable } from './code-entry';

/** The log, embedded or on Kafka. */
export const logCodes = codeTable({
  'log.unavailable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'The log cannot accept commands, or cannot be read, at the moment.',
    remedy: 'Send the command again after the seconds of Retry-After. Check that PostgreSQL or the brokers run.',
  },
  'log.unreachable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'No broker of Kafka answers.',
    remedy: 'Check that the brokers of KAFKA_BROKERS run and that this machine reaches them.',
  },
  'log.no-leader': {
    shows: [503, 'service log'],
    meaning: 'A partition of the topic has no leader, so its commands are refused.',
    remedy: 'Start one of the brokers that the text names. The service continues by itself.',
  },
  'log.forbidden': {
    shows: [500, 'start', 'command line'],
    meaning: 'Kafka does not allow this user to do it.',
    remedy: 'Check the SASL name and password, and the rights of that user.',
  },
  'log.full': {
    shows: [503],
    meaning: 'So many commands wait to be stored that no more are taken.',
    remedy: 'Send the command again a little later.',
  },
  'log.too-large': {
    shows: [413],
    meaning: 'Kafka does not accept a record of this size.',
    remedy: 'Raise max.message.bytes of the topic, or send less.',
  },
  'log.unstorable': {
    shows: [400],
    meaning: 'The certname or a header has a character that cannot be stored.',
    remedy: 'Send it without U+0000 and halves of surrogate pairs.',
  },
  'log.append': {
    shows: [500],
    meaning: 'PostgreSQL refused to store the command, for a reason that does not pass by itself.',
    remedy: 'See the log of the service and that of PostgreSQL.',
  },
  'log.foreign': {
    shows: ['start', 500, 'service log', 'command line'],
    meaning: 'The log is not the one that belongs to the read tables, or it was changed from outside.',
    remedy: 'Follow the hint. Nothing is written to a log that does not belong here.',
  },
  'log.missing': {
    shows: ['start', 'command line'],
    meaning: 'The topic of the log does not exist, although it did.',
    remedy: 'Check KAFKA_BROKERS and NODELEDGER_LOG_TOPIC, or restore the topic.',
  },
  'log.truncated': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'Records that still count were removed from the topic from outside.',
    remedy: 'Restore the topic from a backup. Set its retention as docs/deployment.md says.',
  },
  'log.topic-settings': {
    shows: ['start', 'command line'],
    meaning: 'The topic has settings with which records could be lost or refused.',
    remedy: 'Run the command that the hint gives.',
  },
  'log.partitions': {
    shows: ['start', 'command line'],
    meaning: 'The log has another number of partitions than it was made with, or a number that is not possible.',
    remedy: 'Copy the log to a topic with the number that you want: `nodeledger log copy`.',
  },
  'log.no-partition': {
    shows: ['service log', 'command line'],
    meaning: 'The log has no such partition.',
    remedy: 'Check that the database and the log belong together.',
  },
  'log.no-record': {
    shows: ['service log', 'command line'],
    meaning: 'A record that the read tables name is not in the log.',
    remedy: 'See `nodeledger verify`. Restore the log from a backup if records were lost.',
  },
  'log.past-end': {
    shows: ['start', 'service log', 'command line'],
    meaning: 'The read tables are further than the log reaches.',
    remedy: 'The log was restored from an older state. Restore both from one backup, or rebuild: `nodeledger rebuild`.',
  },
  'log.before-base': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables are older than what the log still holds.',
    remedy: 'Rebuild them: `nodeledger rebuild`.',
  },
  'log.gap': {
    shows: ['service log', 'command line'],
    meaning: 'A record in the middle of the log is missing. Reading stops there and skips nothing.',
    remedy: 'Restore the log from a backup.',
  },
  'log.base': {
    shows: ['command line', 'service log'],
    meaning: 'The base that a snapshot has made cannot come into force.',
    remedy: 'Make the snapshot again. The log is unchanged.',
  },
  'log.base-superseded': {
    shows: ['command line', 'service log'],
    meaning: 'Another snapshot was faster.',
    remedy: 'Nothing, or make the snapshot again. The log is unchanged.',
  },
  'log.not-empty': {
    shows: ['command line'],
    meaning: 'The place to restore a log to holds a log, or a part of one.',
    remedy: 'Restore into an empty database, or name a topic that does not exist.',
  },
  'log.not-restored': {
    shows: ['command line'],
    meaning: 'Something else wrote into the topic while a log was restored into it.',
    remedy: 'Stop that, delete the topic, and restore again.',
  },
});

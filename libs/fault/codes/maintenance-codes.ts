import { codeTable } from './code-entry';

/** Codes of rebuild, verify, snapshot, log copy, backup, restore and migration. */
export const maintenanceCodes = codeTable({
  'maintenance.busy': {
    shows: [409, 'command line', 'service log'],
    meaning: 'Another rebuild, verification, snapshot, copy or backup is running on this database.',
    remedy: 'Wait until it is done.',
  },
  'maintenance.stopped': {
    shows: ['command line', 'service log'],
    meaning: 'The operation was stopped on request.',
    remedy: 'Run the command again. To continue a rebuild, add --resume.',
  },
  'replay.position': {
    shows: ['command line'],
    meaning: 'The log does not have this position, or the state at this position is no longer known.',
    remedy: 'Use an offset in the range that the hint names.',
  },
  'replay.no-live': {
    shows: ['command line'],
    meaning: 'The read tables do not exist yet.',
    remedy: 'Start the service once, so that it creates them.',
  },
  'replay.no-previous': {
    shows: ['command line'],
    meaning: 'There are no previous read tables to go back to.',
    remedy: 'Rebuild instead: `nodeledger rebuild`.',
  },
  'replay.nothing-to-resume': {
    shows: ['command line'],
    meaning: 'There is no unfinished rebuild.',
    remedy: 'Rebuild without --resume.',
  },
  'replay.half-built': {
    shows: ['command line', 'service log'],
    meaning: 'A rebuild is unfinished.',
    remedy: 'Finish it with `nodeledger rebuild --resume`, or discard it with `nodeledger rebuild --drop-previous`.',
  },
  'replay.other-form': {
    shows: ['command line'],
    meaning: 'The unfinished rebuild was started by another version, or from another log.',
    remedy: 'Discard it and start again: `nodeledger rebuild --restart`.',
  },
  'replay.projection-version': {
    shows: ['command line'],
    meaning: 'The read tables have a different structure than this release uses.',
    remedy: 'Use the release that created them, or rebuild them.',
  },
  'replay.foreign-log': {
    shows: ['command line'],
    meaning: 'The read tables were built from another log.',
    remedy: 'Set the log and the database to ones that belong together.',
  },
  'replay.shorter-log': {
    shows: ['command line'],
    meaning: 'The read tables contain data of records that the log does not have.',
    remedy: 'Restore the whole log, or accept the loss: `nodeledger rebuild --accept-differences`.',
  },
  'replay.apart': {
    shows: ['command line', 'service log'],
    meaning: 'Two sets of read tables could not be brought to the same position.',
    remedy: 'Run the command again.',
  },
  'replay.differences': {
    shows: ['command line'],
    meaning: 'The tables that were built from the log differ from the live tables.',
    remedy: 'Check the rows that the command prints. Follow the hint to keep either set of tables.',
  },
  'replay.newly-rejected': {
    shows: ['command line', 'service log'],
    meaning: 'The current settings reject commands that were applied earlier, so no snapshot was made.',
    remedy: 'Go back to the earlier settings, or rebuild with --accept-differences.',
  },
  'replay.live-differs': {
    shows: ['command line', 'service log'],
    meaning: 'A snapshot would remove records whose data the live tables show.',
    remedy: 'Run `nodeledger verify` and follow the hint.',
  },
  'replay.base-differs': {
    shows: ['command line', 'service log'],
    meaning: 'The new base does not give the same tables as the whole log.',
    remedy: 'Report the error. The log is unchanged.',
  },
  'copy.not-applied': {
    shows: ['command line'],
    meaning: 'There are no read tables of this release to continue with.',
    remedy: 'Start the service once, stop it, then copy the log.',
  },
  'copy.moved-on': {
    shows: ['command line'],
    meaning: 'The service accepted commands while the log was copied.',
    remedy: 'Stop every process that accepts commands, then copy to another, empty log.',
  },
  'copy.not-empty': {
    shows: ['command line'],
    meaning: 'The log to copy to already contains records.',
    remedy: 'Choose a topic that does not exist yet.',
  },
  'backup.no-backup': {
    shows: ['command line'],
    meaning: 'The directory does not contain a complete backup.',
    remedy: 'Use the directory of a backup. If the first backup into it was interrupted, run it again.',
  },
  'backup.damaged': {
    shows: ['command line'],
    meaning: 'A file of the backup is missing, or its content is damaged.',
    remedy: 'Use another copy of the backup, or make it again: `nodeledger backup` replaces files of a wrong size.',
  },
  'backup.unreleased': {
    shows: ['command line'],
    meaning: 'A build before 0.2.0, the first release, created the backup.',
    remedy: 'Restore it with that build and run `nodeledger export` there. Then run `nodeledger import` here.',
  },
  'backup.newer': {
    shows: ['command line'],
    meaning: 'A newer release created the backup.',
    remedy: 'Restore it with that release.',
  },
  'backup.other-log': {
    shows: ['command line'],
    meaning: 'The directory contains a backup of another log, or of a log with the same id but a different history.',
    remedy: 'Back up into another directory.',
  },
  'backup.directory': {
    shows: ['command line'],
    meaning: 'The directory for the backup contains other files, or cannot be used.',
    remedy: 'Choose a directory that is empty, that does not exist yet, or that contains a backup.',
  },
  'restore.not-empty': {
    shows: ['command line'],
    meaning: 'The database to restore into contains data of a service.',
    remedy: 'Choose an empty database or a new data directory.',
  },
  'migrate.address': {
    shows: ['command line'],
    meaning: 'The address of the source or target server is not valid.',
    remedy: 'Write it as https://puppetdb.example.com:8081.',
  },
  'migrate.unreachable': {
    shows: ['command line'],
    meaning: 'The source or target server does not answer.',
    remedy: 'Check its address and, for HTTPS, the files of the client certificate. Then run the command again.',
  },
  'migrate.refused': {
    shows: ['command line'],
    meaning: 'The source or target server refused a request. The message includes its answer.',
    remedy: 'Fix the problem described in the message, for example a missing permission, then run the command again.',
  },
  'migrate.unreadable': {
    shows: ['command line'],
    meaning: 'The source server returns documents of an unknown format.',
    remedy: 'Check that the address is that of a PuppetDB or OpenVoxDB.',
  },
  'migrate.config': {
    shows: ['command line'],
    meaning: 'The configuration files cannot be read.',
    remedy: 'Use the directory that contains them, such as /etc/puppetdb/conf.d.',
  },
});

import { codeTable } from './code-entry';

export const maintenanceCodes = codeTable({
  'maintenance.busy': {
    shows: [409, 'command line', 'service log'],
    meaning: 'Another rebuild, verification, snapshot, copy or backup is running on this database.',
    remedy: 'Wait until the other operation is done, then run the command again.',
  },
  'maintenance.stopped': {
    shows: ['command line', 'service log'],
    meaning: 'Somebody stopped the operation, for example with Ctrl-C.',
    remedy: 'Run the command again. To continue a rebuild, add --resume.',
  },
  'replay.position': {
    shows: ['command line'],
    meaning: 'The log does not have this position, or does not contain the state at this position any more.',
    remedy: 'Specify an offset in the range that the hint names, or a later time.',
  },
  'replay.no-live': {
    shows: ['command line'],
    meaning: 'The read tables do not exist yet.',
    remedy: 'Start the service once. The service then creates the read tables.',
  },
  'replay.no-previous': {
    shows: ['command line'],
    meaning: 'The database contains no previous read tables.',
    remedy: 'Run `nodeledger rebuild` to make the read tables again.',
  },
  'replay.nothing-to-resume': {
    shows: ['command line'],
    meaning: 'There is no unfinished rebuild.',
    remedy: 'Run `nodeledger rebuild` without --resume.',
  },
  'replay.half-built': {
    shows: ['command line', 'service log'],
    meaning: 'An earlier rebuild is not complete.',
    remedy:
      'Complete the rebuild with `nodeledger rebuild --resume`, or discard its tables with `nodeledger rebuild --drop-previous`.',
  },
  'replay.other-form': {
    shows: ['command line'],
    meaning: 'Another release started the unfinished rebuild, or the rebuild read another log.',
    remedy: 'Discard the unfinished tables and start a new rebuild: `nodeledger rebuild --restart`.',
  },
  'replay.projection-version': {
    shows: ['command line'],
    meaning: 'The structure of the read tables differs from the structure that this release uses.',
    remedy: 'Use the release that created the tables, or run `nodeledger rebuild`.',
  },
  'replay.foreign-log': {
    shows: ['command line'],
    meaning: 'The read tables were built from another log.',
    remedy: 'Correct the settings of the log and the database, so that both belong to the same installation.',
  },
  'replay.shorter-log': {
    shows: ['command line'],
    meaning: 'The read tables contain data of records that the log does not have.',
    remedy: 'Restore the whole log. If you accept the loss, run `nodeledger rebuild --accept-differences`.',
  },
  'replay.apart': {
    shows: ['command line', 'service log'],
    meaning: 'Two sets of read tables could not be brought to the same position.',
    remedy: 'Run the command again.',
  },
  'replay.differences': {
    shows: ['command line'],
    meaning: 'The tables that were built from the log differ from the live tables.',
    remedy: 'Check the rows that the command prints. The hint describes how to keep either the new or the live tables.',
  },
  'replay.newly-rejected': {
    shows: ['command line', 'service log'],
    meaning: 'The current settings reject commands that were applied earlier, so no snapshot was made.',
    remedy: 'Restore the earlier settings, or run `nodeledger rebuild --accept-differences`.',
  },
  'replay.live-differs': {
    shows: ['command line', 'service log'],
    meaning:
      'The live tables contain data that a rebuild with the current settings would not make. A snapshot would remove the records of these data, so the service made no snapshot.',
    remedy: 'Run `nodeledger verify` and follow the hint.',
  },
  'replay.base-differs': {
    shows: ['command line', 'service log'],
    meaning: 'A rebuild from the new base would not make the same tables as a rebuild from the whole log.',
    remedy: 'Report the error. The log is unchanged.',
  },
  'copy.not-applied': {
    shows: ['command line'],
    meaning: 'The database has no read tables of this release.',
    remedy: 'Start the service once, stop it, then copy the log.',
  },
  'copy.moved-on': {
    shows: ['command line'],
    meaning: 'The service accepted commands while the log was copied.',
    remedy: 'Stop every process that accepts commands. Then copy the log again, to another empty topic.',
  },
  'copy.not-empty': {
    shows: ['command line'],
    meaning: 'The target of the copy already contains records.',
    remedy: 'Specify a topic that does not exist yet.',
  },
  'backup.no-backup': {
    shows: ['command line'],
    meaning: 'The directory does not contain a complete backup.',
    remedy:
      'Specify the directory of a complete backup. If the first backup into this directory was interrupted, run the backup again.',
  },
  'backup.damaged': {
    shows: ['command line'],
    meaning: 'A file of the backup is missing, or its content is damaged.',
    remedy:
      'Use another copy of the backup, or run `nodeledger backup` again. The new backup replaces files of the wrong size.',
  },
  'backup.unreleased': {
    shows: ['command line'],
    meaning: 'A build before 0.2.0, the first release, created the backup.',
    remedy:
      'Restore the backup with the old build, and run `nodeledger export` with the old build. Then run `nodeledger import` with this release.',
  },
  'backup.newer': {
    shows: ['command line'],
    meaning: 'A newer release created the backup.',
    remedy: 'Restore the backup with the newer release.',
  },
  'backup.other-log': {
    shows: ['command line'],
    meaning:
      'The directory contains a backup of another log, or this log was restored from an older state after the backup.',
    remedy: 'Specify another directory for the backup.',
  },
  'backup.directory': {
    shows: ['command line'],
    meaning: 'The directory for the backup contains other files, or cannot be used.',
    remedy:
      'Specify an empty directory, a directory that does not exist yet, or a directory with an earlier backup of the same log.',
  },
  'restore.not-empty': {
    shows: ['command line'],
    meaning: 'The target of the restore already contains data of a service.',
    remedy: 'Specify an empty database or a new data directory.',
  },
  'migrate.address': {
    shows: ['command line'],
    meaning: 'The address of the source or target server is not valid.',
    remedy: 'Write the address in the form https://puppetdb.example.com:8081.',
  },
  'migrate.unreachable': {
    shows: ['command line'],
    meaning: 'The source or target server does not answer.',
    remedy:
      'Check the address of the server. For HTTPS, also check the files of the client certificate. Then run the command again.',
  },
  'migrate.refused': {
    shows: ['command line'],
    meaning: 'The source or target server refused a request. The message includes the answer of the server.',
    remedy:
      'Correct the problem that the message describes, for example a missing permission. Then run the command again.',
  },
  'migrate.unreadable': {
    shows: ['command line'],
    meaning: 'The source server returns documents of an unknown format.',
    remedy: 'Check that the address belongs to a PuppetDB or OpenVoxDB.',
  },
  'migrate.config': {
    shows: ['command line'],
    meaning: 'The configuration files cannot be read.',
    remedy: 'Specify the directory of the configuration files, such as /etc/puppetdb/conf.d.',
  },
});

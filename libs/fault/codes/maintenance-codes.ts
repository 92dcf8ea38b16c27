import { codeTable } from './code-entry';

/** Rebuild, verify, snapshot, copy of the log, backup, restore and migration. */
export const maintenanceCodes = codeTable({
  'maintenance.busy': {
    shows: [409, 'command line', 'service log'],
    meaning: 'Another rebuild, verification, snapshot, copy or backup is running on this database.',
    remedy: 'Wait until it has ended.',
  },
  'maintenance.stopped': {
    shows: ['command line', 'service log'],
    meaning: 'The work was stopped on request.',
    remedy: 'Run the command again; a rebuild continues with --resume.',
  },
  'replay.position': {
    shows: ['command line'],
    meaning: 'The log has no such position, or its state there is not known any more.',
    remedy: 'Give an offset in the range that the hint names.',
  },
  'replay.no-live': {
    shows: ['command line'],
    meaning: 'There are no read tables yet.',
    remedy: 'Start the service once, so that it makes them.',
  },
  'replay.no-previous': {
    shows: ['command line'],
    meaning: 'There are no earlier read tables to go back to.',
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
    remedy: 'Finish it with `nodeledger rebuild --resume`, or discard it with `--drop-previous`.',
  },
  'replay.other-form': {
    shows: ['command line'],
    meaning: 'The unfinished rebuild was started by another version, or from another log.',
    remedy: 'Discard it: `nodeledger rebuild --restart`.',
  },
  'replay.projection-version': {
    shows: ['command line'],
    meaning: 'The read tables have another form than this program makes.',
    remedy: 'Use the program that made them, or rebuild.',
  },
  'replay.foreign-log': {
    shows: ['command line'],
    meaning: 'The read tables were made from another log.',
    remedy: 'Name a log and a database that belong together.',
  },
  'replay.shorter-log': {
    shows: ['command line'],
    meaning: 'The read tables hold records that the log does not have.',
    remedy: 'Restore the whole log, or accept what it lost: `nodeledger rebuild --accept-differences`.',
  },
  'replay.apart': {
    shows: ['command line', 'service log'],
    meaning: 'Two sets of read tables could not be brought to the same position.',
    remedy: 'Run the command again.',
  },
  'replay.differences': {
    shows: ['command line'],
    meaning: 'The tables that were made from the log differ from the live ones.',
    remedy: 'See the rows that are printed. Follow the hint to keep either set.',
  },
  'replay.newly-rejected': {
    shows: ['command line', 'service log'],
    meaning: 'Commands that were applied once are rejected with the current settings, so no snapshot was made.',
    remedy: 'Go back to the settings of that time, or rebuild with --accept-differences.',
  },
  'replay.live-differs': {
    shows: ['command line', 'service log'],
    meaning: 'A snapshot would remove records that the live tables show.',
    remedy: 'See `nodeledger verify`; follow the hint.',
  },
  'replay.base-differs': {
    shows: ['command line', 'service log'],
    meaning: 'The new base does not give the same tables as the whole log.',
    remedy: 'Report the error. The log is unchanged.',
  },
  'copy.not-applied': {
    shows: ['command line'],
    meaning: 'There are no read tables of this version to continue with.',
    remedy: 'Start the service once, stop it, then copy.',
  },
  'copy.moved-on': {
    shows: ['command line'],
    meaning: 'Commands were accepted while the log was copied.',
    remedy: 'Stop everything that serves commands, then copy to another, empty log.',
  },
  'copy.not-empty': {
    shows: ['command line'],
    meaning: 'The log to copy to has records already.',
    remedy: 'Name a topic that does not exist yet.',
  },
  'backup.no-backup': {
    shows: ['command line'],
    meaning: 'The directory holds no backup that has ended.',
    remedy: 'Name the directory of a backup. If a first backup was interrupted, make it again.',
  },
  'backup.damaged': {
    shows: ['command line'],
    meaning: 'A file of the backup is missing, or is not what was written.',
    remedy: 'Use another copy of the backup, or make it again: `nodeledger backup` replaces files of a wrong size.',
  },
  'backup.newer': {
    shows: ['command line'],
    meaning: 'The backup was made by a newer release.',
    remedy: 'Restore it with that release.',
  },
  'backup.other-log': {
    shows: ['command line'],
    meaning: 'The directory holds a backup of another log, or of another course of this log.',
    remedy: 'Back up into another directory.',
  },
  'backup.directory': {
    shows: ['command line'],
    meaning: 'The directory for the backup has other files in it, or cannot be used.',
    remedy: 'Name a directory that is empty, that does not exist yet, or that holds a backup.',
  },
  'restore.not-empty': {
    shows: ['command line'],
    meaning: 'The database to restore into holds data of a service.',
    remedy: 'Name an empty database or a new data directory.',
  },
  'migrate.address': {
    shows: ['command line'],
    meaning: 'The address of the server to copy from or to cannot be read.',
    remedy: 'Write it as https://puppetdb.example.com:8081.',
  },
  'migrate.unreachable': {
    shows: ['command line'],
    meaning: 'The server to copy from or to does not answer.',
    remedy: 'Check its address and, for HTTPS, the files of the client certificate. Then run the same command again.',
  },
  'migrate.refused': {
    shows: ['command line'],
    meaning: 'The server to copy from or to refused a request; the text has its words.',
    remedy: 'Correct what the text names, such as the rights of the client. Then run the same command again.',
  },
  'migrate.unreadable': {
    shows: ['command line'],
    meaning: 'The server to copy from answers documents of an unknown form.',
    remedy: 'Check that the address is that of a PuppetDB or OpenVoxDB.',
  },
  'migrate.config': {
    shows: ['command line'],
    meaning: 'The configuration files cannot be read.',
    remedy: 'Name the folder that holds them, such as /etc/puppetdb/conf.d.',
  },
});

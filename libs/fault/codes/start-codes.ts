import { codeTable } from './code-entry';

export const startCodes = codeTable({
  'config.refused': {
    shows: ['start', 'command line'],
    meaning: 'A setting is unknown or has an invalid value.',
    remedy: 'Correct the setting that the message names (docs/settings.md).',
  },
  'config.file': {
    shows: ['start', 'command line'],
    meaning: 'The service cannot read a file from the settings, or the content of the file is invalid.',
    remedy: 'Check the path, the permissions and the content of the file.',
  },
  'config.cleartext': {
    shows: ['start'],
    meaning:
      'The settings would make the service accept unencrypted connections from other machines, so facts and catalogs would cross the network in clear text.',
    remedy: 'Listen on 127.0.0.1 and use HTTPS (docs/tls.md), or set NODELEDGER_ALLOW_INSECURE=true.',
  },
  'server.port-in-use': {
    shows: ['start'],
    meaning: 'Another program is listening on the port.',
    remedy: 'Stop the other program, or set NODELEDGER_PORT to another port.',
  },
  'server.port-refused': {
    shows: ['start'],
    meaning: 'The user of the service is not allowed to open the port.',
    remedy: 'Set NODELEDGER_PORT to a port above 1023.',
  },
  'server.no-such-host': {
    shows: ['start'],
    meaning: 'NODELEDGER_HOST is not an address of this machine.',
    remedy: 'Set NODELEDGER_HOST to an address of this machine, such as 127.0.0.1.',
  },
  'server.shared-database': {
    shows: ['start'],
    meaning:
      'The process runs only some of the components. So the process needs a database that it can share with the processes of the other components.',
    remedy: 'Set DATABASE_URL, or start all components in one process.',
  },
  'server.foreign-log': {
    shows: ['start'],
    meaning: 'The service built the read tables from another log than the log in the settings.',
    remedy: 'Follow the hint. The service has changed nothing.',
  },
  'server.past-end': {
    shows: ['start'],
    meaning: 'The read tables contain data of records that the log does not have.',
    remedy: 'Restore the log and the tables from the same backup, or follow the hint.',
  },
  'server.below-tail': {
    shows: ['start'],
    meaning: 'The read tables are older than the oldest records of the log.',
    remedy: 'Rebuild the tables: `nodeledger rebuild`. The service has changed nothing.',
  },
  'server.log-silent': {
    shows: ['start'],
    meaning: 'The log is not empty, but the brokers return no records.',
    remedy: 'Check the brokers and start the service again.',
  },
  'server.projection-version': {
    shows: ['start', 'service log'],
    meaning: 'The read tables have a structure that this release does not know.',
    remedy: 'Start the release that created the tables, or use an empty database.',
  },
  'server.no-generation': {
    shows: ['service log'],
    meaning: 'The read tables for the projector do not exist.',
    remedy: 'Restart the service. The service then creates the tables.',
  },
  'projections.foreign-log': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables belong to another log than the log that the projector reads.',
    remedy: 'Restart the service, and follow the hint that it prints.',
  },
  'projections.no-such-place': {
    shows: ['service log', 'command line'],
    meaning: 'The log has no record at the position of the read tables.',
    remedy:
      'Rebuild the tables: `nodeledger rebuild`. Probably the tables are older than the oldest records of the log.',
  },
  'server.restore-unfinished': {
    shows: ['start', 'command line'],
    meaning: 'A restore into this database is not complete.',
    remedy:
      'Wait until the restore is done. If the restore was interrupted, run the same `nodeledger restore` command again.',
  },
});

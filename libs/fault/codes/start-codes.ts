import { codeTable } from './code-entry';

/** Settings, the start of the service, and what its projector meets. */
export const startCodes = codeTable({
  'config.refused': {
    shows: ['start', 'command line'],
    meaning: 'A setting is unknown or has a value that it cannot have.',
    remedy: 'Correct the setting that the text names (docs/settings.md).',
  },
  'config.file': {
    shows: ['start', 'command line'],
    meaning: 'A file that the settings name cannot be read or does not hold what it should.',
    remedy: 'Correct the path, the rights or the content of the file.',
  },
  'config.cleartext': {
    shows: ['start'],
    meaning: 'The service would send facts and catalogs over the network in clear text.',
    remedy: 'Listen on 127.0.0.1 and use HTTPS (docs/tls.md), or set NODELEDGER_CLEARTEXT_ANYWHERE=true.',
  },
  'server.port-in-use': {
    shows: ['start'],
    meaning: 'Another program listens on the port.',
    remedy: 'Stop that program, or set NODELEDGER_PORT to another port.',
  },
  'server.port-refused': {
    shows: ['start'],
    meaning: 'The user of the service may not open the port.',
    remedy: 'Set NODELEDGER_PORT to a port above 1023.',
  },
  'server.no-such-host': {
    shows: ['start'],
    meaning: 'NODELEDGER_HOST is not an address of this machine.',
    remedy: 'Set it to one, such as 127.0.0.1.',
  },
  'server.shared-database': {
    shows: ['start'],
    meaning: 'A process with only some of the components has no database that it could share with the others.',
    remedy: 'Set DATABASE_URL, or start the whole service in one process.',
  },
  'server.foreign-log': {
    shows: ['start'],
    meaning: 'The read tables were made from another log than the one that the settings name.',
    remedy: 'Follow the hint. Nothing has been changed.',
  },
  'server.past-end': {
    shows: ['start'],
    meaning: 'The read tables hold records that the log does not have.',
    remedy: 'Restore both from one backup, or follow the hint.',
  },
  'server.below-tail': {
    shows: ['start'],
    meaning: 'The read tables are older than what the log still holds.',
    remedy: 'Rebuild them: `nodeledger rebuild`. Nothing has been changed.',
  },
  'server.log-silent': {
    shows: ['start'],
    meaning: 'The log returns no records, although it has some.',
    remedy: 'Check the brokers and start again.',
  },
  'server.projection-version': {
    shows: ['start', 'service log'],
    meaning: 'The read tables have a form that this program does not know.',
    remedy: 'Start the program that made them, or use an empty database.',
  },
  'server.no-generation': {
    shows: ['service log'],
    meaning: 'There are no read tables for the projector to fill.',
    remedy: 'Restart the service: it makes them.',
  },
  'projections.foreign-log': {
    shows: ['service log', 'command line'],
    meaning: 'The read tables belong to another log than the projector reads.',
    remedy: 'Restart the service: it says what can be done.',
  },
  'projections.no-such-place': {
    shows: ['service log', 'command line'],
    meaning: 'The log has no record at the position of the read tables.',
    remedy: 'They are older than what the log still holds. Rebuild them: `nodeledger rebuild`.',
  },
  'metrics.policy': {
    shows: ['start'],
    meaning: 'The file of NODELEDGER_METRICS_POLICY cannot be read, or is no access policy.',
    remedy: 'Correct the file as the message says (docs/metrics.md describes its form), or remove the setting.',
  },
  'server.restore-unfinished': {
    shows: ['start', 'command line'],
    meaning: 'A restore into this database has not ended.',
    remedy: 'Wait until it has. If it was interrupted, run the same `nodeledger restore` again.',
  },
});

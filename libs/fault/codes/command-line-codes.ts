import { codeTable } from './code-entry';

export const commandLineCodes = codeTable({
  'token.name': {
    shows: ['command line'],
    meaning: 'The name of a token is empty, too long, or has control characters.',
    remedy: 'Choose a short name, such as that of the client that uses it.',
  },
  'token.exists': {
    shows: ['command line'],
    meaning: 'Another token has this name.',
    remedy: 'Choose another name, or revoke that token with --delete first.',
  },
  'token.too-many': {
    shows: ['command line'],
    meaning: 'The maximum number of tokens exists already.',
    remedy: 'Delete tokens that you no longer need: `nodeledger token revoke NAME --delete`.',
  },
  'token.missing': {
    shows: ['command line'],
    meaning: 'No token has this name.',
    remedy: 'List the names with `nodeledger token list`.',
  },
  'cli.no-store': {
    shows: ['command line'],
    meaning: 'The data directory or database in the settings does not exist or does not belong to a service.',
    remedy:
      'Set --data-dir or DATABASE_URL to those of the service. Start a new service once before you run this command.',
  },
  'cli.file': {
    shows: ['command line'],
    meaning: 'The file of an archive cannot be written.',
    remedy: 'Choose a directory that exists, has free space, and that you may write to.',
  },
  'cli.unreachable': {
    shows: ['command line'],
    meaning: 'No service answers at the address.',
    remedy: 'Start the service, or set --url to its address.',
  },
  'cli.connection': {
    shows: ['command line'],
    meaning: 'The connection to the service failed, for example because a certificate was not accepted.',
    remedy: 'Correct --url. For HTTPS, set --ca, --cert and --key (docs/tls.md).',
  },
  'cli.refused': {
    shows: ['command line'],
    meaning: 'The service refused the request. The message includes its answer.',
    remedy: 'Fix the problem described in the message, then run the command again.',
  },
  'cli.no-brokers': {
    shows: ['command line'],
    meaning: 'The brokers to copy the log to are not set.',
    remedy: 'Set --to-brokers or KAFKA_BROKERS.',
  },
  'cli.same-log': {
    shows: ['command line'],
    meaning: 'The topic to copy to is the current log.',
    remedy: 'Choose a topic that does not exist yet.',
  },
  'cli.service-runs': {
    shows: ['command line'],
    meaning: 'A service is running on the database.',
    remedy: 'Stop every service that uses it, then run the command again.',
  },
  'cli.database-ended': {
    shows: ['command line'],
    meaning: 'The service whose embedded PostgreSQL the command used has stopped.',
    remedy: 'Run the command again.',
  },
  'cli.unconfirmed': {
    shows: ['command line'],
    meaning: 'The command deletes data or deactivates nodes, and you have not confirmed it.',
    remedy: 'Add --yes, or answer yes when the command asks.',
  },
  'cli.ssl-source': {
    shows: ['command line'],
    meaning: "The files of an agent's ssl directory do not exist, or it is not clear which ones to use.",
    remedy: 'Set --ssldir and --certname.',
  },
  'cli.ssl-exists': {
    shows: ['command line'],
    meaning: 'The target directory contains other certificates or keys.',
    remedy: 'Replace them with -f, or choose another directory with --target.',
  },
});

import { codeTable } from './code-entry';

export const commandLineCodes = codeTable({
  'token.name': {
    shows: ['command line'],
    meaning: 'The name of a token is empty, too long, or has control characters.',
    remedy: 'Choose a short name, such as the name of the client that uses the token.',
  },
  'token.exists': {
    shows: ['command line'],
    meaning: 'Another token has this name.',
    remedy: 'Choose another name, or first delete the existing token: `nodeledger token revoke NAME --delete`.',
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
      'Set --data-dir or DATABASE_URL to the same value as for the service. If the service is new, start it once before you run this command.',
  },
  'cli.file': {
    shows: ['command line'],
    meaning: 'The file of an archive cannot be written.',
    remedy: 'Choose an existing directory in which you can create files and that has free space.',
  },
  'cli.unreachable': {
    shows: ['command line'],
    meaning: 'No service answers at the address.',
    remedy: 'Start the service, or set --url to its address.',
  },
  'cli.connection': {
    shows: ['command line'],
    meaning: 'The connection to the service failed, for example because a certificate was not accepted.',
    remedy: 'Correct the address in --url. For HTTPS, set --ca, --cert and --key (docs/tls.md).',
  },
  'cli.refused': {
    shows: ['command line'],
    meaning: 'The service refused the request. The message includes the answer of the service.',
    remedy: 'Correct the problem that the message describes, then run the command again.',
  },
  'cli.no-brokers': {
    shows: ['command line'],
    meaning: 'You have not specified the brokers for the copy of the log.',
    remedy: 'Set --to-brokers or KAFKA_BROKERS.',
  },
  'cli.same-log': {
    shows: ['command line'],
    meaning: 'The target of the copy is the topic of the current log.',
    remedy: 'Specify a topic that does not exist yet.',
  },
  'cli.service-runs': {
    shows: ['command line'],
    meaning: 'A service is running on the database.',
    remedy: 'Stop every service that uses the database, then run the command again.',
  },
  'cli.database-ended': {
    shows: ['command line'],
    meaning: 'The command used the embedded PostgreSQL of a running service, and this service has stopped.',
    remedy: 'Run the command again.',
  },
  'cli.unconfirmed': {
    shows: ['command line'],
    meaning: 'The command deletes data or deactivates nodes, and you have not confirmed it.',
    remedy: 'Add --yes, or answer yes when the command asks.',
  },
  'cli.ssl-source': {
    shows: ['command line'],
    meaning:
      'The ssl directory of the agent is not readable, contains no certificate with a private key, or contains several certificates.',
    remedy: 'Specify the directory with --ssldir and the certificate with --certname.',
  },
  'cli.ssl-exists': {
    shows: ['command line'],
    meaning: 'The target directory contains other certificates or keys.',
    remedy: 'Replace the existing files with -f, or choose another directory with --target.',
  },
});

import { codeTable } from './code-entry';

/** The command line and the fleet simulator. */
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
    meaning: 'There are as many tokens as there can be.',
    remedy: 'Delete tokens that nobody needs: `nodeledger token revoke NAME --delete`.',
  },
  'token.missing': {
    shows: ['command line'],
    meaning: 'There is no token of this name.',
    remedy: 'See the names with `nodeledger token list`.',
  },
  'cli.no-store': {
    shows: ['command line'],
    meaning: 'There is no data directory or database of a service where the settings point.',
    remedy: 'Give --data-dir or DATABASE_URL of the service; start a new service once.',
  },
  'cli.file': {
    shows: ['command line'],
    meaning: 'The file of an archive cannot be written.',
    remedy: 'Name a folder that exists, has room and may be written to.',
  },
  'cli.unreachable': {
    shows: ['command line'],
    meaning: 'No service answers at the address.',
    remedy: 'Start the service, or give its address by --url.',
  },
  'cli.connection': {
    shows: ['command line'],
    meaning: 'The connection to the service failed, for example because a certificate was not accepted.',
    remedy: 'Correct --url; for HTTPS, name the files of --ca, --cert and --key (docs/tls.md).',
  },
  'cli.refused': {
    shows: ['command line'],
    meaning: 'The service refused the request; the text has its words.',
    remedy: 'Correct what the text names.',
  },
  'cli.no-brokers': {
    shows: ['command line'],
    meaning: 'No brokers are named to copy the log to.',
    remedy: 'Give --to-brokers, or set KAFKA_BROKERS.',
  },
  'cli.same-log': {
    shows: ['command line'],
    meaning: 'The topic to copy to is the log that is in use.',
    remedy: 'Name a topic that does not exist yet.',
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
    meaning: 'The command removes records of the log and was not confirmed.',
    remedy: 'Add --yes, or answer the question with yes.',
  },
  'cli.ssl-source': {
    shows: ['command line'],
    meaning: "The files of an agent's ssl directory are not there, or it is not clear which are meant.",
    remedy: 'Give --ssldir and --certname.',
  },
  'cli.ssl-exists': {
    shows: ['command line'],
    meaning: 'Other certificates or keys are where the copies are to go.',
    remedy: 'Replace them with -f, or give --target.',
  },
  'fleet.refused': {
    shows: ['command line'],
    meaning: 'The server refused a command or a query of the fleet simulator.',
    remedy: 'See what the server answered.',
  },
  'fleet.not-visible': {
    shows: ['command line'],
    meaning: 'Queries do not show what the fleet simulator has sent, and nothing more appears.',
    remedy: 'See the dead letters and the log of the server.',
  },
  'fleet.no-count': {
    shows: ['command line'],
    meaning: 'The server does not count its records as this interface says.',
    remedy: 'Check that the URL is that of a server of this interface.',
  },
});

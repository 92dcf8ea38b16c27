import { codeTable } from './code-entry';

/** HTTP, submissions of commands, and maintenance over HTTP. */
export const requestCodes = codeTable({
  'access.credential': {
    shows: [401],
    meaning: 'Roles are checked, and the request has neither a client certificate nor a token.',
    remedy: 'Send a token as `Authorization: Bearer <token>`, or connect with a client certificate.',
  },
  'access.token': {
    shows: [401],
    meaning: 'The token of the request is not known, has expired or was revoked, or the header has none.',
    remedy: 'Create a token with `nodeledger token create`, and send it as `Authorization: Bearer <token>`.',
  },
  'access.role': {
    shows: [403],
    meaning: 'The certificate or the token does not have the role that the path needs.',
    remedy: 'Give it the role: certificates in the file of NODELEDGER_AUTHORIZATION, tokens with a new token.',
  },
  'access.unchecked': {
    shows: [503],
    meaning:
      'The token of the request is not one that the process has in memory, and PostgreSQL cannot be asked for it.',
    remedy:
      'Send the request again after the time in Retry-After; docs/reliability.md describes outages of PostgreSQL.',
  },
  'access.other-node': {
    shows: [403],
    meaning: 'A certificate with the role submit-own was used to submit a command for another node.',
    remedy: 'Submit with the certificate of that node, or give the certificate the role submit.',
  },
  'http.not-found': {
    shows: [404],
    meaning: 'There is no such path, or not with this method.',
    remedy:
      'Check the path and the method. Some paths belong to a process with another component (docs/deployment.md).',
  },
  'status.parameter': {
    shows: [400],
    meaning: 'The status does not know this level or this version of its format.',
    remedy: 'Leave out `level` and `service_status_version`, or use a level of critical, info and debug.',
  },
  'http.request': {
    shows: [400, 413, 415],
    meaning: 'The HTTP server could read the request, but not its path or its body.',
    remedy: 'Correct what the answer names, such as a broken percent sign in the URL.',
  },
  'http.unreadable': {
    shows: [400],
    meaning: 'What the client sent is no HTTP request.',
    remedy: 'Check the URL of the client; it may use TLS where the service does not.',
  },
  'http.broken': {
    shows: [500],
    meaning: 'The service failed for a reason that nobody expected.',
    remedy: 'See the log of the service at that time, and report the error.',
  },
  'http.limit': {
    shows: [413, 431],
    meaning: 'A part of the request is larger than a limit allows.',
    remedy: 'Send less, or raise the setting that the answer names (docs/limits.md).',
  },
  'http.chunk-extensions': {
    shows: [413],
    meaning: 'The chunks of the body carry extensions that are too long.',
    remedy: 'Send the body without chunk extensions.',
  },
  'http.slow': {
    shows: [408],
    meaning: 'The request did not arrive completely in time.',
    remedy: 'Send it again over a faster connection, or in smaller parts.',
  },
  'http.connections': {
    shows: [503],
    meaning: 'Too many connections are open, in all or from this address.',
    remedy: 'Close connections that are not needed and try again, or raise the setting that the answer names.',
  },
  'http.crowded': {
    shows: [503],
    meaning: 'The bodies of other requests use all the memory that is reserved for bodies.',
    remedy: 'Send the request again after the seconds of Retry-After, or raise NODELEDGER_MAX_BODIES_IN_MEMORY.',
  },
  'http.not-acceptable': {
    shows: [406],
    meaning: 'The header Accept does not admit JSON.',
    remedy: 'Send `Accept: application/json`, or no such header.',
  },
  'http.content-type': {
    shows: [415],
    meaning: 'The body is declared as something other than JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'http.encoding': {
    shows: [415],
    meaning: 'The body has a content coding other than gzip.',
    remedy: 'Send the body with `Content-Encoding: gzip`, or as it is.',
  },
  'http.body': {
    shows: [400],
    meaning: 'The body is declared as gzip, but it is not.',
    remedy: 'Compress the body, or remove the header Content-Encoding.',
  },
  'http.body-too-large': {
    shows: [413],
    meaning: 'The body is larger than what the path accepts.',
    remedy: 'Send less at once.',
  },
  'http.client-certificate': {
    shows: [403],
    meaning: 'The client sent no certificate over TLS, or one that the service does not accept.',
    remedy: 'Send a certificate of an authority of the service that is valid and not revoked (docs/tls.md).',
  },
  'http.other-site': {
    shows: [403],
    meaning: 'A browser sent the request for a page of another site.',
    remedy:
      'If the page belongs to this service, behind a proxy, add its host to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.other-host': {
    shows: [403],
    meaning:
      'A browser asked for the service, over unencrypted HTTP on its own machine, under a name that is not localhost.',
    remedy: 'Ask for localhost, or add the name to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.not-listed': {
    shows: [403],
    meaning: 'The name of the client certificate is not in the certificate allowlist.',
    remedy: 'Add the name as a line to the file of NODELEDGER_CERTIFICATE_ALLOWLIST (docs/tls.md).',
  },
  'http.client-left': {
    shows: ['service log'],
    meaning: 'The client closed the connection before its body was complete.',
    remedy: 'Nothing. If it happens often, look for a timeout of the client or of a proxy that is too short.',
  },
  'command.invalid': {
    shows: [400],
    meaning: 'The name, version, certname, checksum or another parameter of the command is missing or wrong.',
    remedy: 'Correct what the answer names. Nothing was stored.',
  },
  'command.too-large': {
    shows: [413],
    meaning: 'The command is larger than NODELEDGER_MAX_COMMAND_SIZE.',
    remedy: 'Send a smaller document, or raise the setting.',
  },
  'command.encoding': {
    shows: [415],
    meaning: 'The command has a content coding other than gzip.',
    remedy: 'Send it with `Content-Encoding: gzip`, or as it is.',
  },
  'command.rejected': {
    shows: [503],
    meaning: 'The projector rejected the command that the client waited for, for a reason that has no code of its own.',
    remedy: 'See the exception in the answer; the command is a dead letter (docs/dead-letters.md).',
  },
  'admin.invalid': {
    shows: [400],
    meaning: 'The body is no maintenance command.',
    remedy: 'Correct what the answer names (docs/maintenance.md).',
  },
  'admin.running': {
    shows: [409],
    meaning: 'Another cleaning is running.',
    remedy: 'Wait until it has ended.',
  },
  'admin.clock-skew': {
    shows: [409, 'service log'],
    meaning: 'The clocks of the process and of the database differ, so that nobody knows what is old.',
    remedy: 'Correct the clocks. Cleaning continues by itself.',
  },
  'admin.clock-unknown': {
    shows: [503, 'service log'],
    meaning: 'The database took so long to tell its time that the clocks cannot be compared.',
    remedy: 'Try again when the database is less busy.',
  },
  'admin.no-generation': {
    shows: [503],
    meaning: 'There are no read tables that could be cleaned.',
    remedy: 'Wait until the service has made them.',
  },
  'admin.not-applied': {
    shows: [503],
    meaning: 'The changes are in the log, but queries do not show all of them yet.',
    remedy: 'Wait. The changes need not be sent again.',
  },
  'admin.rejected': {
    shows: [500],
    meaning: 'The projector rejected a record of maintenance.',
    remedy: 'See the dead letters, and report the error.',
  },
  'admin.letters-request': {
    shows: [400],
    meaning: 'A parameter of a request about dead letters is unknown, missing or wrong.',
    remedy: 'Correct what the answer names (docs/dead-letters.md).',
  },
  'admin.no-letter': {
    shows: [404],
    meaning: 'There is no such dead letter, or it does not wait any more.',
    remedy: 'List the letters that wait: `nodeledger dead-letters list`.',
  },
  'admin.retrying': {
    shows: [409],
    meaning: 'Dead letters are being retried already.',
    remedy: 'Wait until that has ended.',
  },
  'metrics.forbidden': {
    shows: [403],
    meaning: 'Metrics are answered to clients on the same machine, and over TLS to clients with a trusted certificate.',
    remedy:
      'Ask from the machine of the service, or over TLS with a certificate of the same authority (docs/metrics.md).',
  },
  'letters.gone': {
    shows: ['service log'],
    meaning: 'A dead letter was applied or purged while its payload was being sent; the answer breaks off.',
    remedy: 'Ask for the letter again: the answer says what became of it.',
  },
});

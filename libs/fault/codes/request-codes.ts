import { codeTable } from './code-entry';

/** Codes of HTTP requests, submitted commands, and maintenance over HTTP. */
export const requestCodes = codeTable({
  'access.credential': {
    shows: [401],
    meaning: 'Roles are checked, and the request has neither a client certificate nor a token.',
    remedy: 'Send a token as `Authorization: Bearer <token>`, or connect with a client certificate.',
  },
  'access.token': {
    shows: [401],
    meaning: 'The token of the request is unknown, has expired or was revoked, or the header contains no token.',
    remedy: 'Create a token with `nodeledger token create`, and send it as `Authorization: Bearer <token>`.',
  },
  'access.session': {
    shows: [401],
    meaning: 'The session in the cookie of a browser has ended, or its token has expired or was revoked.',
    remedy: 'Sign in again at `/console`.',
  },
  'access.session-header': {
    shows: [403],
    meaning:
      'A browser has sent a request with the cookie of a session, other than GET, without the header `X-Nodeledger-Console`. A page of another site may have caused it.',
    remedy: 'Send the header `X-Nodeledger-Console: 1`. Programs other than the console send the token itself.',
  },
  'access.no-sessions': {
    shows: [409],
    meaning: 'A token was to be exchanged for a session, but the service reads no tokens.',
    remedy: 'Set NODELEDGER_AUTHORIZATION, and create tokens with `nodeledger token create`.',
  },
  'access.role': {
    shows: [403],
    meaning: 'The certificate or the token does not have the role that the path needs.',
    remedy:
      'Add the role: for a certificate, in the file of NODELEDGER_AUTHORIZATION; for a token, create a new token.',
  },
  'access.unchecked': {
    shows: [503],
    meaning: 'The process does not have the token of the request in memory, and cannot look it up in PostgreSQL.',
    remedy:
      'Wait for the time given in the Retry-After header and retry. See docs/reliability.md for outages of PostgreSQL.',
  },
  'access.other-node': {
    shows: [403],
    meaning: 'A certificate with the role submit-own was used to submit a command for another node.',
    remedy: 'Submit with the certificate of that node, or give the certificate the role submit.',
  },
  'http.not-found': {
    shows: [404],
    meaning: 'The path does not exist, or does not support this method.',
    remedy:
      'Check the path and the method. Other processes may serve the path: each component has its own paths (docs/deployment.md).',
  },
  'status.parameter': {
    shows: [400],
    meaning: 'The status does not support this level or this version of its format.',
    remedy: 'Leave out `level` and `service_status_version`, or use the level critical, info or debug.',
  },
  'http.request': {
    shows: [400, 413, 415],
    meaning: 'The HTTP server could read the request, but not its path or its body.',
    remedy:
      'Correct the part of the request that the message describes, for example invalid percent-encoding in the URL.',
  },
  'http.unreadable': {
    shows: [400],
    meaning: 'The client did not send a valid HTTP request.',
    remedy: 'Check the URL in the client. It may use TLS on a port without TLS.',
  },
  'http.broken': {
    shows: [500],
    meaning: 'An unexpected error occurred in the service.',
    remedy: 'Check the log of the service at that time, and report the error.',
  },
  'http.limit': {
    shows: [413, 431],
    meaning: 'A part of the request exceeds a limit.',
    remedy: 'Send less data, or increase the setting that the message names (docs/limits.md).',
  },
  'http.chunk-extensions': {
    shows: [413],
    meaning: 'The chunk extensions of the body are too long.',
    remedy: 'Send the body without chunk extensions.',
  },
  'http.slow': {
    shows: [408],
    meaning: 'The request did not arrive completely in time.',
    remedy: 'Retry over a faster connection, or send smaller requests.',
  },
  'http.connections': {
    shows: [503],
    meaning: 'Too many connections are open, in total or from this address.',
    remedy: 'Close unused connections and retry, or increase the setting that the message names.',
  },
  'http.crowded': {
    shows: [503],
    meaning: 'The bodies of other requests use all the memory that is reserved for bodies.',
    remedy: 'Wait for the time given in the Retry-After header and retry, or increase NODELEDGER_MAX_BODIES_IN_MEMORY.',
  },
  'http.not-acceptable': {
    shows: [406],
    meaning: 'The header Accept does not allow JSON.',
    remedy: 'Send `Accept: application/json`, or no Accept header.',
  },
  'http.content-type': {
    shows: [415],
    meaning: 'The header Content-Type declares a type other than JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'http.encoding': {
    shows: [415],
    meaning: 'The body uses a content encoding other than gzip.',
    remedy: 'Send the body with `Content-Encoding: gzip`, or uncompressed.',
  },
  'http.body': {
    shows: [400],
    meaning: 'The header Content-Encoding declares gzip, but the body is not valid gzip.',
    remedy: 'Compress the body, or remove the header Content-Encoding.',
  },
  'http.body-too-large': {
    shows: [413],
    meaning: 'The body is larger than the path accepts.',
    remedy: 'Send a smaller body.',
  },
  'http.client-certificate': {
    shows: [403],
    meaning: 'The client sent no certificate over TLS, or a certificate that the service does not accept.',
    remedy: 'Send a valid, unrevoked certificate from a CA that the service trusts (docs/tls.md).',
  },
  'http.other-site': {
    shows: [403],
    meaning: 'A browser sent the request on behalf of a page of another site.',
    remedy:
      'If the page belongs to this service behind a proxy, add its host name to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.other-host': {
    shows: [403],
    meaning:
      'A browser on the same machine sent the request over unencrypted HTTP, under a host name other than localhost.',
    remedy: 'Use localhost, or add the name to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.not-listed': {
    shows: [403],
    meaning: 'The name of the client certificate is not in the certificate allowlist.',
    remedy: 'Add the name as a line to the file of NODELEDGER_CERTIFICATE_ALLOWLIST (docs/tls.md).',
  },
  'http.client-left': {
    shows: ['service log'],
    meaning: 'The client closed the connection before it had sent the whole body.',
    remedy:
      'No action is needed. If it happens often, check whether a timeout of the client or of a proxy is too short.',
  },
  'command.invalid': {
    shows: [400],
    meaning: 'The name, version, certname, checksum or another parameter of the command is missing or wrong.',
    remedy: 'Correct the parameter that the message names. Nothing was stored.',
  },
  'command.too-large': {
    shows: [413],
    meaning: 'The command is larger than NODELEDGER_MAX_COMMAND_SIZE.',
    remedy: 'Send a smaller document, or raise the setting.',
  },
  'command.encoding': {
    shows: [415],
    meaning: 'The command uses a content encoding other than gzip.',
    remedy: 'Send it with `Content-Encoding: gzip`, or uncompressed.',
  },
  'command.rejected': {
    shows: [503],
    meaning:
      'The projector rejected the command that the client waited for. Every reason for a rejection has this same code.',
    remedy:
      'Read the exception in the answer: it says what to correct. The command is now a dead letter (docs/dead-letters.md).',
  },
  'admin.invalid': {
    shows: [400],
    meaning: 'The body is not a valid maintenance command.',
    remedy: 'Correct the body as the message describes. See docs/maintenance.md.',
  },
  'admin.running': {
    shows: [409],
    meaning: 'Another cleaning is running.',
    remedy: 'Wait until it is done.',
  },
  'admin.clock-skew': {
    shows: [409, 'service log'],
    meaning: 'The clocks of the process and of the database differ, so the service cannot determine which data is old.',
    remedy: 'Correct the clocks. Cleaning continues automatically.',
  },
  'admin.clock-unknown': {
    shows: [503, 'service log'],
    meaning: 'The database took so long to return its time that the service cannot compare the clocks.',
    remedy: 'Retry when the database is less busy.',
  },
  'admin.no-generation': {
    shows: [503],
    meaning: 'The read tables do not exist yet.',
    remedy: 'Wait until the service has built them.',
  },
  'admin.not-applied': {
    shows: [503],
    meaning: 'The changes are in the log, but queries do not show all of them yet.',
    remedy: 'Wait. You do not need to repeat the request.',
  },
  'admin.rejected': {
    shows: [500],
    meaning: 'The projector rejected a maintenance record.',
    remedy: 'Check the dead letters, and report the error.',
  },
  'admin.letters-request': {
    shows: [400],
    meaning: 'A parameter of a request about dead letters is unknown, missing or invalid.',
    remedy: 'Correct the parameter that the message names. See docs/dead-letters.md.',
  },
  'admin.no-letter': {
    shows: [404],
    meaning: 'The dead letter does not exist, or is no longer waiting.',
    remedy: 'List the waiting letters: `nodeledger dead-letters list`.',
  },
  'admin.retrying': {
    shows: [409],
    meaning: 'A retry of dead letters is already running.',
    remedy: 'Wait until it is done.',
  },
  'metrics.forbidden': {
    shows: [403],
    meaning: 'Only clients on the same machine, and clients with a trusted certificate over TLS, may read metrics.',
    remedy:
      'Send the request from the machine of the service, or over TLS with a certificate of the same CA (docs/monitoring.md).',
  },
  'letters.gone': {
    shows: ['service log'],
    meaning:
      'A dead letter was applied or purged while the service was sending its payload, so the answer is incomplete.',
    remedy: 'Request the letter again. The answer says whether it was applied or purged.',
  },
});

import { codeTable } from './code-entry';

export const requestCodes = codeTable({
  'access.credential': {
    shows: [401],
    meaning: 'The service checks roles, and the request has neither a client certificate nor a token.',
    remedy: 'Send a token as `Authorization: Bearer <token>`, or connect with a client certificate.',
  },
  'access.token': {
    shows: [401],
    meaning: 'The token of the request is unknown, has expired or was revoked, or the header contains no token.',
    remedy: 'Create a token with `nodeledger token create`, and send it as `Authorization: Bearer <token>`.',
  },
  'access.session': {
    shows: [401],
    meaning: 'The session of the browser has ended, or the token of the session has expired or was revoked.',
    remedy: 'Sign in again at `/console`.',
  },
  'access.session-header': {
    shows: [403],
    meaning:
      'A browser sent a request other than GET with the cookie of a session, but without the header `X-Nodeledger-Console`. Possibly a page of another site caused the request.',
    remedy:
      'Send the header `X-Nodeledger-Console: 1`. In programs other than the console, send the token instead of the cookie.',
  },
  'access.no-sessions': {
    shows: [409],
    meaning: 'The client wanted to exchange a token for a session, but the service does not check tokens.',
    remedy: 'Set NODELEDGER_AUTHORIZATION, and create tokens with `nodeledger token create`.',
  },
  'access.role': {
    shows: [403],
    meaning: 'The path requires a role that the certificate or the token does not have.',
    remedy:
      'Add the role to the certificate in the file of NODELEDGER_AUTHORIZATION, or create a new token with the role.',
  },
  'access.unchecked': {
    shows: [503],
    meaning:
      'The process cannot check the token of the request, because PostgreSQL does not answer and the token is not in memory.',
    remedy:
      'Wait for the time in the header Retry-After, then retry the request. docs/reliability.md describes outages of PostgreSQL.',
  },
  'access.other-node': {
    shows: [403],
    meaning: 'The certificate has only the role submit-own, but the command is about another node.',
    remedy: 'Submit the command with the certificate of the other node, or give the certificate the role submit.',
  },
  'operation.work-request': {
    shows: [400],
    meaning: 'A request to start maintenance is invalid.',
    remedy: 'Correct the part that the message names.',
  },
  'operation.work-running': {
    shows: [409],
    meaning: 'The process already runs maintenance that a client has started.',
    remedy: 'Wait until that maintenance has ended, or stop it.',
  },
  'operation.work-directory': {
    shows: [409],
    meaning:
      'The service cannot create or use the directory for backups and exports, or other users can change the files in this directory.',
    remedy:
      'Set NODELEDGER_BACKUP_DIR to a directory that only the user of the service can change, for example with `chmod go-w`, or to a new folder in a mounted volume. Then restart the service.',
  },
  'operation.no-work': {
    shows: [404],
    meaning: 'No maintenance with this id is running. Possibly the maintenance has ended.',
    remedy: 'List the maintenance with `GET /nodeledger/v1/operation/work`.',
  },
  'http.not-found': {
    shows: [404],
    meaning: 'The path does not exist, or does not support this method.',
    remedy:
      'Check the path and the method. Each component has its own paths, so possibly another process serves this path (docs/deployment.md).',
  },
  'status.parameter': {
    shows: [400],
    meaning: 'The status does not support this level or this version of its format.',
    remedy: 'Omit the parameters `level` and `service_status_version`, or send the level critical, info or debug.',
  },
  'http.request': {
    shows: [400, 413, 415],
    meaning: 'The request is valid HTTP, but its path or its body is not readable.',
    remedy:
      'Correct the part of the request that the message describes, for example invalid percent-encoding in the URL.',
  },
  'http.unreadable': {
    shows: [400],
    meaning: 'The client did not send a valid HTTP request.',
    remedy: 'Check the URL in the client. Possibly the client uses TLS, but the port expects unencrypted HTTP.',
  },
  'http.broken': {
    shows: [500],
    meaning: 'An unexpected error occurred in the service.',
    remedy: 'Look for the error in the log of the service, and report the error.',
  },
  'http.limit': {
    shows: [413, 431],
    meaning: 'A part of the request exceeds a limit.',
    remedy: 'Send less data, or raise the setting that the message names (docs/limits.md).',
  },
  'http.chunk-extensions': {
    shows: [413],
    meaning: 'The chunk extensions of the body are too long.',
    remedy: 'Send the body without chunk extensions.',
  },
  'http.slow': {
    shows: [408],
    meaning: 'The client did not send the whole request in time.',
    remedy: 'Retry over a faster connection, or send smaller requests.',
  },
  'http.connections': {
    shows: [503],
    meaning: 'Too many connections of all clients, or of this client address, are open.',
    remedy: 'Close unused connections and retry, or raise the setting that the message names.',
  },
  'http.crowded': {
    shows: [503],
    meaning: 'The bodies of other requests use all the memory that is reserved for bodies.',
    remedy:
      'Wait for the time in the header Retry-After, then retry the request. If the problem lasts, raise NODELEDGER_MAX_BODIES_IN_MEMORY.',
  },
  'http.not-acceptable': {
    shows: [406],
    meaning: 'The header Accept of the request does not allow JSON.',
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
    remedy: 'Compress the body with gzip, or remove the header Content-Encoding.',
  },
  'http.body-too-large': {
    shows: [413],
    meaning: 'The body is larger than the limit of the path.',
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
      'If the page belongs to this service and the service is behind a proxy, add the host name of the page to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.other-host': {
    shows: [403],
    meaning:
      'A browser on the same machine sent the request over unencrypted HTTP, under a host name other than localhost.',
    remedy: 'Use the host name localhost, or add your host name to NODELEDGER_ALLOWED_HOSTS (docs/authorization.md).',
  },
  'http.not-listed': {
    shows: [403],
    meaning: 'The name of the client certificate is not in the certificate allowlist.',
    remedy: 'Add the name as a line to the file of NODELEDGER_CERTIFICATE_ALLOWLIST (docs/tls.md).',
  },
  'http.client-left': {
    shows: ['service log'],
    meaning: 'The client closed the connection before the whole body arrived.',
    remedy:
      'No action is needed. If it happens often, check whether a timeout of the client or of a proxy is too short.',
  },
  'command.invalid': {
    shows: [400],
    meaning: 'The name, version, certname, checksum or another parameter of the command is missing or wrong.',
    remedy: 'Correct the parameter that the message names. The service has stored nothing.',
  },
  'command.too-large': {
    shows: [413],
    meaning: 'The command is larger than NODELEDGER_MAX_COMMAND_SIZE.',
    remedy: 'Send a smaller document, or raise the setting (docs/limits.md).',
  },
  'command.encoding': {
    shows: [415],
    meaning: 'The command uses a content encoding other than gzip.',
    remedy: 'Send the command with `Content-Encoding: gzip`, or uncompressed.',
  },
  'command.rejected': {
    shows: [503],
    meaning:
      'The client waited for its command, and another release of the projector rejected the command with a code that this release does not know.',
    remedy:
      'Read the member `exception` of the answer, which describes the reason. The command is now a dead letter (docs/dead-letters.md).',
  },
  'admin.invalid': {
    shows: [400],
    meaning: 'The body is not a valid maintenance command.',
    remedy: 'Correct the body as the message describes. See docs/maintenance.md.',
  },
  'admin.running': {
    shows: [409],
    meaning: 'Another cleaning is running.',
    remedy: 'Wait until the other cleaning is done.',
  },
  'admin.clock-skew': {
    shows: [409, 'service log'],
    meaning: 'The clocks of the process and of the database differ, so the service cannot determine which data is old.',
    remedy: 'Correct the clocks. The periodic cleanings then continue automatically.',
  },
  'admin.clock-unknown': {
    shows: [503, 'service log'],
    meaning:
      'The service could not compare its clock with the clock of the database, because the database took too long to answer.',
    remedy: 'Retry the request when the database is less busy.',
  },
  'admin.no-generation': {
    shows: [503],
    meaning: 'The read tables do not exist yet.',
    remedy: 'Wait until the service has built the tables.',
  },
  'admin.not-applied': {
    shows: [503],
    meaning: 'The changes are in the log, but queries do not show all of them yet.',
    remedy: 'Wait until queries show the changes. You do not need to repeat the request.',
  },
  'admin.rejected': {
    shows: [500],
    meaning: 'The projector rejected a record of a deletion or cleaning.',
    remedy: 'Check the dead letters, and report the error.',
  },
  'admin.letters-request': {
    shows: [400],
    meaning: 'A parameter of a request about dead letters is unknown, missing or invalid.',
    remedy: 'Correct the parameter that the message names. See docs/dead-letters.md.',
  },
  'admin.no-letter': {
    shows: [404],
    meaning: 'The dead letter does not exist, was already purged, or a retry has already applied its command.',
    remedy: 'List the dead letters that nobody has retried or purged: `nodeledger dead-letters list`.',
  },
  'admin.retrying': {
    shows: [409],
    meaning: 'A retry of dead letters is already running.',
    remedy: 'Wait until the other retry is done.',
  },
  'metrics.forbidden': {
    shows: [403],
    meaning:
      'The client may not read metrics. Without TLS, only clients on the machine of the service may read metrics. Over TLS, a client needs the role metrics.',
    remedy:
      'Send the request from the machine of the service, or over TLS with a certificate that has the role metrics (docs/monitoring.md).',
  },
  'letters.gone': {
    shows: ['service log'],
    meaning:
      'A dead letter was applied or purged while the service was sending its payload, so the answer is incomplete.',
    remedy: 'Request the dead letter again. The answer says whether the dead letter was applied or purged.',
  },
});

import {
  type Answer,
  flag,
  inJson,
  inPath,
  inQuery,
  integer,
  list,
  mapOf,
  object,
  oneOfTexts,
  type Operation,
  type Parameter,
  type Schema,
  text,
} from '#openapi';

const states = oneOfTexts(['starting', 'running', 'error', 'stopping']);

const alert = object({ code: text(), severity: text(), message: text() }, { required: [], open: true });

const bytes = (description: string): Schema => ({
  type: ['integer', 'null'],
  minimum: 0,
  description: `${description} Null if unknown.`,
});

const storage: Schema = object({
  log_bytes: bytes('Bytes of the embedded log on the disk.'),
  log_section_bytes: bytes('The part of log_bytes for sections of documents that the log stores only once.'),
  log_since: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The time of receipt of the oldest record in the history of the log. Null if unknown.',
  },
  log_bytes_per_day: bytes('The growth of the embedded log in a day, in bytes.'),
  table_bytes: bytes('Bytes of the read tables on the disk, without their history.'),
  past_bytes: bytes('Bytes of the history on the disk: earlier versions of rows (NODELEDGER_HISTORY).'),
  other_bytes: bytes('Bytes of all other tables on the disk.'),
  wal_bytes: bytes("Bytes of PostgreSQL's write-ahead log."),
  disk: {
    anyOf: [
      object({
        free_bytes: integer,
        total_bytes: integer,
        reserve_bytes: integer,
        seconds_until_full: bytes('Estimated seconds until the log has filled the disk except for the reserve.'),
      }),
      { type: 'null' },
    ],
    description: 'The file system of the embedded PostgreSQL. Null with another PostgreSQL.',
  },
});

const service: Schema = object(
  {
    service_version: text(),
    service_status_version: integer,
    detail_level: text(),
    state: states,
    status: object(
      {
        'maintenance_mode?': flag,
        queue_depth: {
          type: 'integer',
          description: 'The number of commands in the log that the projector has not applied yet.',
        },
        'read_db_up?': flag,
        'write_db_up?': flag,
        'write_dbs_up?': flag,
        write_db: mapOf(object({ 'up?': flag })),
        'rejecting_commands?': {
          type: 'boolean',
          description: 'True if the service answers commands with 503, because the disk is almost full.',
        },
        storage,
      },
      { required: [] },
    ),
    active_alerts: list(alert),
    service_name: text(),
  },
  { required: ['service_version', 'service_status_version', 'detail_level', 'state', 'status', 'active_alerts'] },
);

const level: Parameter = inQuery('level', 'The level of detail. All levels give the same answer.', {
  ...(oneOfTexts(['critical', 'info', 'debug']) as object),
  default: 'info',
});
const statusVersion: Parameter = inQuery('service_status_version', 'The version of the structure of the answer.', {
  type: 'integer',
  enum: [1],
  default: 1,
});
const serviceName: Parameter = inPath(
  'name',
  '`puppetdb-status` is the whole service. `status-service` is the part that answers this request.',
);

const stateText = (description: string): Answer => ({ description, content: { 'text/plain': states } });
export const simple: Operation = {
  id: 'getSimpleStatus',
  tag: 'status',
  summary: 'The state of the service as one word',
  answers: { 200: stateText('The service works.'), 503: stateText('The service does not work, or does not work yet.') },
  examples: { state: { summary: 'The state' } },
};

export const simpleNamed: Operation = {
  id: 'getSimpleStatusOfService',
  tag: 'status',
  summary: 'The state of one service as one word',
  parameters: [serviceName],
  answers: {
    200: stateText('The service works.'),
    404: { description: 'There is no such service.', content: { 'text/plain': text() } },
    503: stateText('The service does not work, or does not work yet.'),
  },
  examples: { store: { summary: 'The store', parameters: { name: 'puppetdb-status' } } },
};

export const services: Operation = {
  id: 'getStatus',
  tag: 'status',
  summary: 'The status of all services, with their alerts',
  description: 'docs/monitoring.md explains the members of the answer.',
  parameters: [level],
  refusals: [400],
  answers: {
    200: inJson('The status of each service, by name.', mapOf(service)),
    503: inJson('The status, if the service does not work.', mapOf(service)),
  },
  examples: {
    all: { summary: 'All services' },
    critical: { summary: 'With a level', parameters: { level: 'critical' } },
  },
};

export const serviceNamed: Operation = {
  id: 'getStatusOfService',
  tag: 'status',
  summary: 'The status of one service',
  parameters: [serviceName, level, statusVersion],
  refusals: [400, 404],
  answers: {
    200: inJson('The status of the service.', service),
    503: inJson('The status, if the service does not work.', service),
  },
  examples: {
    store: { summary: 'The store', parameters: { name: 'puppetdb-status', service_status_version: 1 } },
  },
};

import {
  anything,
  type ApiContext,
  type Description,
  inJson,
  inPath,
  inQuery,
  integer,
  list,
  mapOf,
  object,
  type Operation,
  type Parameter,
  type Schema,
  text,
} from '#openapi';

const trusted =
  'Clients on the machine of the service, and clients with the role metrics, may send this request (docs/monitoring.md).';

export const openMetrics: Operation = {
  id: 'getMetrics',
  tag: 'metrics',
  summary: 'All metrics, for Prometheus',
  description: `The answer has the text format OpenMetrics. ${trusted}`,
  answers: { 200: { description: 'The metrics.', content: { 'application/openmetrics-text': text() } } },
  examples: { all: { summary: 'All metrics' } },
};

const beanName = 'puppetlabs.puppetdb.mq:name=global.processed';

const json = (description: string, schema: Schema): Operation['answers'] => ({
  200: inJson(description, schema),
});

export const listBeans: Operation = {
  id: 'listBeans',
  tag: 'metrics',
  summary: 'The names of all MBeans, each with its path',
  description: `This path is for old clients. New clients should use /metrics/v2. ${trusted}`,
  answers: json('The path of each MBean, by name.', mapOf(text())),
  examples: { names: { summary: 'All names' } },
};

export const readBean: Operation = {
  id: 'getBean',
  path: '/metrics/v1/mbeans/{name}',
  tag: 'metrics',
  summary: 'The attributes of one MBean',
  description: `This path is for old clients. New clients should use /metrics/v2. ${trusted}`,
  parameters: [inPath('name', 'The name of the MBean.')],
  refusals: [404],
  answers: json('The value of each attribute, by name.', mapOf(anything)),
  examples: { commands: { summary: 'The number of applied commands', parameters: { name: beanName } } },
};

const jolokiaAnswer: Schema = object(
  {
    request: anything,
    value: anything,
    status: {
      type: 'integer',
      description: 'The status of the operation: 200 if the operation succeeded. The HTTP status is 200 in any case.',
    },
    timestamp: integer,
    error: text(),
    error_type: text(),
  },
  { required: ['status'], open: true },
);

const options: readonly Parameter[] = [
  inQuery('maxDepth', 'The largest depth of nested values. The answer contains deeper values as text.', integer),
  inQuery('ignoreErrors', 'If `true`, an attribute with an error has the error as its value.'),
];
const jolokia = (rest: Pick<Operation, 'id' | 'path' | 'method' | 'summary'> & Partial<Operation>): Operation => ({
  tag: 'metrics',
  description: `This path uses the Jolokia protocol. Clients can only read values. ${trusted}`,
  refusals: [400, 405, 413],
  answers: json('The answer of Jolokia.', { $ref: '#/components/schemas/Jolokia' }),
  ...rest,
});

const request: Schema = object(
  {
    type: { enum: ['read', 'search', 'list', 'version'] },
    mbean: text(),
    attribute: anything,
    path: text(),
    config: { type: 'object' },
  },
  { required: ['type'], open: true },
);

export const describeJolokia = ({ limits }: ApiContext): Description => ({
  schemas: { Jolokia: { anyOf: [jolokiaAnswer, list(jolokiaAnswer)] }, JolokiaRequest: request },
  operations: [
    jolokia({
      id: 'getJolokiaVersion',
      path: '/metrics/v2',
      method: 'get',
      summary: 'The version of the protocol',
      parameters: options,
      examples: { version: { summary: 'The version' } },
    }),
    jolokia({
      id: 'getJolokia',
      path: '/metrics/v2/{request}',
      method: 'get',
      summary: 'Reads MBeans, with the request in the path',
      description:
        'The request can have several segments, such as read/NAME/ATTRIBUTE. Do not encode the slashes between segments. ' +
        trusted,
      parameters: [inPath('request', 'The operation and its arguments.'), ...options],
      examples: {
        version: { summary: 'The version', parameters: { request: 'version' } },
        list: { summary: 'All MBeans with their attributes', parameters: { request: 'list' } },
      },
    }),
    jolokia({
      id: 'postJolokia',
      path: '/metrics/v2',
      method: 'post',
      summary: 'Reads MBeans, with the request in the body',
      parameters: options,
      body: inJson(`One request, or a list of requests. The body can have at most ${limits.metricsBodyBytes} bytes.`, {
        anyOf: [{ $ref: '#/components/schemas/JolokiaRequest' }, list({ $ref: '#/components/schemas/JolokiaRequest' })],
      }),
      examples: {
        read: { summary: 'One MBean', body: { type: 'read', mbean: beanName } },
        search: {
          summary: 'Names of MBeans that match a pattern',
          body: { type: 'search', mbean: 'puppetlabs.puppetdb.*:*' },
        },
        several: {
          summary: 'Several requests at once',
          body: [{ type: 'version' }, { type: 'read', mbean: beanName }],
        },
      },
    }),
  ],
});

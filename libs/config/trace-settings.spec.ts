import { readTraceSettings } from './trace-settings';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test.each<[boolean, NodeJS.ProcessEnv]>([
  [false, {}],
  [false, { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: ' ' }],
  [false, { OTEL_SERVICE_NAME: 'ledger' }],
  [true, endpoint],
  [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }],
  [true, { OTEL_TRACES_EXPORTER: 'otlp' }],
  [true, { OTEL_TRACES_EXPORTER: 'console, otlp' }],
  [false, { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  [false, { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
  [true, { ...endpoint, OTEL_SDK_DISABLED: 'false' }],
  [true, { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }],
])('%s: %j', (wanted, environment) => {
  expect(readTraceSettings(environment)).toEqual({ wanted });
});

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /http\/json/],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }, /http\/json/],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }, /otlp only/],
])('%j: none, and why', (environment, notice) => {
  expect(readTraceSettings(environment)).toEqual({ wanted: false, notice: expect.stringMatching(notice) });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TraceReceiver } from '../../../test/support/trace-receiver';

const support = join(__dirname, '../../../test/support');
const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

let receiver: TraceReceiver;
beforeEach(async () => {
  receiver = await TraceReceiver.open();
});
afterEach(() => receiver.close());

interface Outcome {
  /** For each attempt to send spans, the reason for its failure, or null if it succeeded. */
  readonly outcomes: readonly (string | null)[];
  readonly context: object;
  readonly closeMs: number;
}

async function send(own: NodeJS.ProcessEnv = {}, mode = ''): Promise<Outcome> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_'));
  const env = { ...Object.fromEntries(others), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...own };
  const program = ['--require', join(support, 'run-typescript.cjs'), join(support, 'send-spans.ts'), mode];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  return JSON.parse(stdout) as Outcome;
}

test('spans arrive with their parents, attributes and outcomes, as the standard variables say', async () => {
  const { outcomes } = await send({
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  const [failed, answered, batch] = receiver.spans;
  expect(receiver.spans).toHaveLength(3);
  expect(answered).toMatchObject({
    name: 'GET',
    kind: 2,
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
    failed: false,
  });
  expect(failed).toMatchObject({
    name: 'query',
    traceId: parent.traceId,
    parentSpanId: answered?.spanId,
    failed: true,
  });
  expect(failed?.attributes).toEqual({ route: 'nodes', rows: 3, 'error.type': 'query.timeout' });
  expect(batch?.parentSpanId ?? '').toBe('');
  expect(batch?.traceId).not.toBe(parent.traceId);
  expect(receiver.resource).toMatchObject({
    'service.name': 'nodeledger',
    'service.version': '1.2.3',
    'deployment.environment': 'test',
  });
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer abc', 'content-type': 'application/json' });
  expect(outcomes).toEqual([null]);
});

test('what the one who began the trace does not record is not sent, but handed on', async () => {
  expect((await send({}, 'unsampled')).context).toMatchObject({ traceId: parent.traceId, sampled: false });
  expect(receiver.spans).toEqual([]);
});

test('the sampler and the name of the service are those of the standard variables', async () => {
  await send({ OTEL_TRACES_SAMPLER: 'always_off' });
  expect(receiver.spans).toEqual([]);
  await send({ OTEL_SERVICE_NAME: 'ledger' });
  expect(receiver.resource['service.name']).toBe('ledger');
});

test('a collector that refuses is told by its status', async () => {
  receiver.status = 400;
  expect((await send()).outcomes).toEqual(['status 400']);
});

test('one that is not there holds up a close for seconds only, and is told by the code of the system', async () => {
  await receiver.close();
  const { outcomes, closeMs } = await send({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(closeMs).toBeLessThan(8_000);
  expect(outcomes.filter((outcome) => outcome !== 'ECONNREFUSED')).toEqual([]);
});

import { gzipSync } from 'node:zlib';
import { Database } from '#database';
import { openHttp, type HttpServer, setCaller } from '#http';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { CommandsModule } from '../commands.module';
import { Completions } from '../completions';
import { IntakeLimits } from '../intake-limits';

const report = {
  host: 'web1.example',
  time: '2026-01-01T00:00:00.000000000+00:00',
  resource_statuses: {},
  configuration_version: 1767225600,
  report_format: 9,
  agent_version: '5.5.1',
  status: 'unchanged',
  transaction_completed: true,
  noop: false,
  noop_pending: false,
  environment: 'production',
  master_used: 'puppet.test',
};
const text = JSON.stringify(report);
const largest = 1_000;

let log: MemoryCommandLog;
let server: HttpServer;

beforeAll(async () => {
  log = new MemoryCommandLog({ partitions: 1 });
  await log.open();
  // No request waits for completion, so nothing connects to this database.
  const completions = new Completions(new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }));
  const limits = new IntakeLimits(largest);
  server = await openHttp(CommandsModule.register({ log, completions, limits, checksums: { policy: 'ignore' } }), {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 4_000,
    authorize: (request) => {
      const onlyCertname = request.headers['x-only'];
      if (typeof onlyCertname === 'string') setCaller(request, { secure: true, onlyCertname });
    },
  });
});
afterAll(async () => {
  await server.close();
  await log.close();
});

async function submit(body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.urls[0]}/nodeledger/v1/agent-reports`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const end = (await log.ends()).get(0);
  return {
    status: response.status,
    code: response.headers.get('x-nodeledger-error'),
    text: await response.text(),
    end,
  };
}

test('a report that lacks members is refused with all that is wrong with it', async () => {
  const { end } = await submit(text);
  const refused = await submit(JSON.stringify({ ...report, host: undefined, status: undefined }));
  expect(refused).toMatchObject({ status: 400, code: 'wire.shape', end });
  const { error, problems } = JSON.parse(refused.text) as { error: string; problems: unknown[] };
  expect([typeof error, problems.length]).toEqual(['string', 2]);
});

test('a body that is not JSON is refused by the usual answer', async () => {
  const refused = await submit('{');
  expect(refused).toMatchObject({ status: 400, code: 'wire.json' });
  expect(Object.keys(JSON.parse(refused.text) as object)).toEqual(['error']);
});

test('a body that inflates to more than a command may have is refused', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  const within = gzipSync(`${text}${' '.repeat(largest - text.length)}`);
  expect((await submit(within, gzip)).status).toBe(200);
  const beyond = gzipSync(`${text}${' '.repeat(largest - text.length + 1)}`);
  expect(await submit(beyond, gzip)).toMatchObject({ status: 413, code: 'command.too-large' });
  // The size at the end of two gzip members is the size of the second member.
  const members = Buffer.concat([gzipSync(text), gzipSync(' '.repeat(largest - text.length + 1))]);
  expect(await submit(members, gzip)).toMatchObject({ status: 413, code: 'command.too-large' });
});

test('a report that is larger than a command may be once it is converted is refused', async () => {
  // The converted report has more members than the agent's report.
  const wide = (count: number): string => JSON.stringify({ ...report, environment: '"'.repeat(count) });
  const { end } = await submit(text);
  const most = Math.floor((largest - wide(0).length) / 2);
  expect(wide(most).length).toBeLessThanOrEqual(largest);
  expect(await submit(wide(most))).toMatchObject({ status: 413, code: 'command.too-large', end });
});

test('a certificate with the role submit-own submits reports of its own node only', async () => {
  expect((await submit(text, { 'x-only': 'web1.example' })).status).toBe(200);
  expect(await submit(text, { 'x-only': 'web2.example' })).toMatchObject({ status: 403, code: 'access.other-node' });
});

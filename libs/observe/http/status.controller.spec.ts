/** The expected bodies and statuses are those that PuppetDB 7.12.1 gave for the same requests. */
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ObserveModule } from './observe.module';
import { type ServiceHealth, ServiceState } from './service-state';

class KnownState extends ServiceState {
  readonly version = '0.9.0';
  readonly reportedVersion = '7.12.1';
  readonly logId = 'log-1';
  readonly product = 'puppetdb';
  readonly stopping = false;
  draining = false;
  components: Record<string, boolean> = { write: true, read: true };
  state: ServiceHealth['state'] = 'running';
  alerts = (): [] => [];
  look = (): Promise<ServiceHealth> =>
    Promise.resolve({
      state: this.state,
      readDatabaseUp: true,
      writeDatabaseUp: true,
      queueDepth: 0,
      components: this.components,
    });
}

const service = new KnownState();
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    ObserveModule.register(service),
    new FastifyAdapter({ routerOptions: { querystringParser: () => ({}) } }),
    {
      logger: false,
    },
  );
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());
beforeEach(() =>
  Object.assign(service, { state: 'running', draining: false, components: { write: true, read: true } }),
);

const get = (path: string): Promise<[status: number, body: unknown]> => ask(`/status/v1/${path}`);

async function ask(path: string, method = 'GET'): Promise<[status: number, body: unknown]> {
  const response = await fetch((await app.getUrl()) + path, { method });
  const text = await response.text();
  return [response.status, response.headers.get('content-type')?.startsWith('text/plain') ? text : JSON.parse(text)];
}

const store = (level = 'info') => ({
  service_version: '7.12.1',
  service_status_version: 1,
  detail_level: level,
  state: 'running',
  status: {
    'maintenance_mode?': false,
    queue_depth: 0,
    'read_db_up?': true,
    'write_db_up?': true,
    'write_dbs_up?': true,
    write_db: { default: { 'up?': true } },
  },
  active_alerts: [],
});
const itself = (level = 'info') => ({ ...store(level), status: {} });

test.each(['critical', 'info', 'debug'])('level %s', async (level) => {
  expect(await get(`services?level=${level}`)).toEqual([
    200,
    { 'puppetdb-status': store(level), 'status-service': itself(level) },
  ]);
  for (const [name, body] of [
    ['puppetdb-status', store(level)],
    ['status-service', itself(level)],
  ] as const) {
    expect(await get(`services/${name}?level=${level}`)).toEqual([200, { ...body, service_name: name }]);
  }
});

test.each([
  ['services', 200, { 'puppetdb-status': store(), 'status-service': itself() }],
  ['services?x=1', 200, { 'puppetdb-status': store(), 'status-service': itself() }],
  ['services?level=nope', 400, { kind: 'data-invalid', msg: 'Invalid level: :nope' }],
  ['services?level=INFO', 400, { kind: 'data-invalid', msg: 'Invalid level: :INFO' }],
  ['services?level=', 400, { kind: 'data-invalid', msg: 'Invalid level: :' }],
  ['services/puppetdb-status?level=nope', 400, { kind: 'data-invalid', msg: 'Invalid level: :nope' }],
  ['services/puppetdb-status?service_status_version=1', 200, { ...store(), service_name: 'puppetdb-status' }],
  [
    'services/puppetdb-status?service_status_version=2',
    400,
    {
      kind: 'service-status-version-not-found',
      msg: 'No status function with version 2 found for service puppetdb-status',
    },
  ],
  [
    'services/status-service?service_status_version=x',
    400,
    { kind: 'data-invalid', msg: 'Invalid service_status_version. Should be an integer but was x' },
  ],
  ['services/nope?level=nope', 404, { kind: 'service-not-found', msg: 'No status information found for service nope' }],
  ['simple', 200, 'running'],
  ['simple?level=debug', 200, 'running'],
  ['simple/puppetdb-status', 200, 'running'],
  ['simple/status-service', 200, 'running'],
  ['simple/nope', 404, 'not found: nope'],
])('%s', async (path, status, body) => {
  expect(await get(path)).toEqual([status, body]);
});

test('a service that does not run is 503, and the part that says so runs', async () => {
  service.state = 'error';
  expect((await get('services'))[0]).toBe(503);
  expect((await get('services/puppetdb-status'))[0]).toBe(503);
  expect(await get('simple')).toEqual([503, 'error']);
  expect(await get('simple/puppetdb-status')).toEqual([503, 'error']);
  expect(await get('simple/status-service')).toEqual([200, 'running']);
  expect((await get('services/status-service'))[0]).toBe(200);
});

test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('meta by %s', async (method) => {
  expect(await ask('/pdb/meta/v1/version', method)).toEqual([200, { version: '7.12.1' }]);
  expect(await ask('/pdb/meta/v1/version/latest', method)).toEqual([
    200,
    { newer: false, product: 'puppetdb', link: '', message: expect.any(String), version: '7.12.1' },
  ]);
  const [status, body] = await ask('/pdb/meta/v1/server-time', method);
  expect([status, body]).toEqual([200, { server_time: expect.stringMatching(/^\d{4}-.*Z$/) }]);
});

test('the status is asked by GET and HEAD only', async () => {
  for (const path of ['/status/v1/simple', '/status/v1/services', '/status/v1/services/puppetdb-status']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await ask(path, method))[0]).toBe(404);
    const head = await fetch((await app.getUrl()) + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    service.state = 'error';
    expect((await fetch((await app.getUrl()) + path, { method: 'HEAD' })).status).toBe(503);
    service.state = 'running';
  }
});

test('live always, ready where all components work and no stop has begun', async () => {
  const ready = '/nodeledger/v1/ready';
  expect(await ask('/nodeledger/v1/live')).toEqual([200, { live: true, version: '0.9.0', log_id: 'log-1' }]);
  const body = { ready: true, state: 'running', components: { write: true, read: true }, alerts: [] };
  expect(await ask(ready)).toEqual([200, body]);
  service.components = { write: true, read: false };
  expect(await ask(ready)).toEqual([503, { ...body, ready: false, components: service.components }]);
  expect((await ask(`${ready}/write`))[0]).toBe(200);
  expect((await ask(`${ready}/read`))[0]).toBe(503);
  expect(await ask(`${ready}/project`)).toEqual([404, { error: expect.stringContaining('it has: write, read') }]);
  expect((await ask(`${ready}/constructor`))[0]).toBe(404);
  service.components = { write: true, read: true };
  service.draining = true;
  expect((await ask(ready))[0]).toBe(503);
  expect((await ask(`${ready}/write`))[0]).toBe(503);
  expect((await ask('/nodeledger/v1/live'))[0]).toBe(200);
});

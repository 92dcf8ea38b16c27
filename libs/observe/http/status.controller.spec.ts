/** Bodies and statuses as PuppetDB 7.12.1 answered the same requests. */
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ObserveModule } from './observe.module';
import { type ServiceLook, ServiceState } from './service-state';

class KnownState extends ServiceState {
  readonly reportedVersion = '7.12.1';
  readonly stopping = false;
  state: ServiceLook['state'] = 'running';
  alerts = (): [] => [];
  look = (): Promise<ServiceLook> =>
    Promise.resolve({ state: this.state, readDatabaseUp: true, writeDatabaseUp: true, queueDepth: 0 });
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
beforeEach(() => (service.state = 'running'));

async function get(path: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${await app.getUrl()}/status/v1/${path}`);
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

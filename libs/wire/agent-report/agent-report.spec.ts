import type { Problem } from '../check/problems';
import { readReport } from '../report/v8';
import { readAgentReport } from './read-agent-report';

type Fields = Record<string, unknown>;
const receivedAt = Date.UTC(2026, 0, 2);

const event = (over: Fields = {}): Fields => ({
  audited: false,
  property: 'ensure',
  previous_value: 'absent',
  desired_value: 'file',
  historical_value: null,
  message: 'created',
  name: 'file_created',
  status: 'success',
  time: '2026-01-01T00:00:01.123456789+00:00',
  redacted: null,
  corrective_change: true,
  ...over,
});
const status = (title: string, over: Fields = {}): Fields => ({
  title,
  file: '/site.pp',
  line: 7,
  resource: `File[${title}]`,
  resource_type: 'File',
  provider_used: 'posix',
  containment_path: ['Stage[main]', 'Web', `File[${title}]`],
  evaluation_time: 0.25,
  tags: ['file', 'web'],
  time: '2026-01-01T00:00:01.000000000+00:00',
  failed: false,
  failed_to_restart: false,
  changed: true,
  out_of_sync: true,
  skipped: false,
  change_count: 1,
  out_of_sync_count: 1,
  events: [event()],
  corrective_change: true,
  ...over,
});
const agentReport = (over: Fields = {}): Fields => ({
  host: 'web1.test',
  time: '2026-01-01T00:00:00.500000000+00:00',
  configuration_version: 1767225600,
  report_format: 9,
  agent_version: '5.5.1',
  status: 'changed',
  transaction_completed: true,
  noop: false,
  noop_pending: false,
  environment: 'production',
  transaction_uuid: '68b08e2a-eeb1-4322-b241-bfdf151d294b',
  catalog_uuid: '5ea3a70b-84c8-426c-813c-dd6492fb829b',
  code_id: 'abc',
  job_id: null,
  cached_catalog_status: 'not_used',
  master_used: 'puppet.test',
  corrective_change: true,
  logs: [
    {
      level: 'notice',
      message: 'created',
      source: '/Stage[main]/Web/File[/a]/ensure',
      tags: ['notice', 'file'],
      time: '2026-01-01T00:00:01.200000000+00:00',
      file: '/site.pp',
      line: '7',
    },
  ],
  metrics: {
    time: {
      name: 'time',
      label: 'Time',
      values: [
        ['file', 'File', 0.25],
        ['total', 'Total', 2.75],
      ],
    },
    resources: { name: 'resources', label: 'Resources', values: [['out_of_sync', 'Out of sync', 1]] },
    events: { name: 'events', label: 'Events', values: [['total', 'Total', 1]] },
    changes: { name: 'changes', label: 'Changes', values: [['total', 'Total', 1]] },
  },
  resource_statuses: { 'File[/b]': status('/b'), 'File[/a]': status('/a') },
  ...over,
});

const convert = (document: unknown): Fields =>
  JSON.parse(readAgentReport(Buffer.from(JSON.stringify(document)), receivedAt).payload) as Fields;
function problemsOf(document: unknown): Problem[] {
  try {
    readAgentReport(Buffer.from(JSON.stringify(document)), receivedAt);
    return [];
  } catch (error) {
    return (error as { details: Problem[] }).details;
  }
}
const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

describe('an agent report becomes a stored one', () => {
  it('field by field', () => {
    expect(convert(agentReport())).toMatchObject({
      certname: 'web1.test',
      producer: 'puppet.test',
      puppet_version: '5.5.1',
      report_format: 9,
      configuration_version: '1767225600',
      start_time: '2026-01-01T00:00:00.500000000+00:00',
      end_time: '2026-01-01T00:00:03.250Z',
      producer_timestamp: '2026-01-02T00:00:00.000Z',
      transaction_uuid: '68b08e2a-eeb1-4322-b241-bfdf151d294b',
      catalog_uuid: '5ea3a70b-84c8-426c-813c-dd6492fb829b',
      code_id: 'abc',
      job_id: null,
      cached_catalog_status: 'not_used',
      corrective_change: true,
      logs: [{ level: 'notice', file: '/site.pp', line: 7, tags: ['notice', 'file'] }],
      metrics: [
        { category: 'time', name: 'file', value: 0.25 },
        { category: 'time', name: 'total', value: 2.75 },
        { category: 'resources', name: 'out_of_sync', value: 1 },
        { category: 'events', name: 'total', value: 1 },
        { category: 'changes', name: 'total', value: 1 },
      ],
    });
  });

  it('its resources by name, with their events', () => {
    const resources = convert(agentReport())['resources'] as Fields[];
    expect(resources.map((resource) => resource['resource_title'])).toEqual(['/a', '/b']);
    expect(resources[0]).toEqual({
      skipped: false,
      timestamp: '2026-01-01T00:00:01.000000000+00:00',
      resource_type: 'File',
      resource_title: '/a',
      file: '/site.pp',
      line: 7,
      containment_path: ['Stage[main]', 'Web', 'File[/a]'],
      corrective_change: true,
      events: [
        {
          status: 'success',
          timestamp: '2026-01-01T00:00:01.123456789+00:00',
          property: 'ensure',
          name: 'file_created',
          message: 'created',
          new_value: 'file',
          old_value: 'absent',
          corrective_change: true,
        },
      ],
    });
  });

  it('without the resources to which nothing happened; skipped ones stay', () => {
    const resource_statuses = {
      'File[/quiet]': status('/quiet', { events: [] }),
      'File[/skipped]': status('/skipped', { events: [], skipped: true }),
    };
    expect(convert(agentReport({ resource_statuses }))['resources']).toMatchObject([{ resource_title: '/skipped' }]);
  });

  it('values that are no text become text', () => {
    const events = [
      event({ desired_value: ['a', 'b'], previous_value: null }),
      event({ desired_value: true, previous_value: { b: 1, a: 2 } }),
    ];
    const resources = convert(agentReport({ resource_statuses: { 'File[/a]': status('/a', { events }) } }));
    expect(resources['resources']).toMatchObject([
      {
        events: [
          { new_value: '["a","b"]', old_value: '' },
          { new_value: 'true', old_value: '{"a":2,"b":1}' },
        ],
      },
    ]);
  });

  it('with what may be absent absent', () => {
    const least = [
      'logs',
      'metrics',
      'catalog_uuid',
      'code_id',
      'job_id',
      'cached_catalog_status',
      'master_used',
      'corrective_change',
    ].reduce(without, agentReport());
    expect(convert(least)).toMatchObject({
      producer: null,
      end_time: '2026-01-01T00:00:00.500Z',
      catalog_uuid: '68b08e2a-eeb1-4322-b241-bfdf151d294b',
      code_id: null,
      cached_catalog_status: null,
      corrective_change: null,
      logs: [],
      metrics: [],
    });
  });

  it('that the projector can read, in every form', () => {
    for (const over of [{}, { master_used: '' }, { report_format: '9' }, { configuration_version: 'v1' }]) {
      const { payload } = readAgentReport(Buffer.from(JSON.stringify(agentReport(over))), receivedAt);
      expect(readReport(payload)).toMatchObject({ certname: 'web1.test', endTime: '2026-01-01T00:00:03.250Z' });
    }
  });

  it('its numbers as they were sent', () => {
    const text = JSON.stringify(agentReport({ configuration_version: 'HERE' })).replace('2.75', '2.750');
    const payload = readAgentReport(Buffer.from(text.replace('"HERE"', '9007199254740993')), receivedAt).payload;
    expect(payload).toContain('"configuration_version":"9007199254740993"');
    expect(payload).toContain('"name":"total","value":2.750');
  });
});

describe('a bad agent report', () => {
  const required = [
    'host',
    'time',
    'resource_statuses',
    'configuration_version',
    'report_format',
    'agent_version',
    'status',
    'transaction_completed',
    'noop',
    'noop_pending',
    'environment',
  ];
  it.each(required)('lacks %s', (name) => {
    expect(problemsOf(without(agentReport(), name))).toEqual([{ path: name, expected: 'a value', found: 'nothing' }]);
  });

  const file = (over: Fields): Fields => ({ resource_statuses: { 'File[/a]': status('/a', over) } });
  const metric = (name: string, values: unknown, over: Fields = {}): Fields => ({
    metrics: { [name]: { name, label: name.charAt(0).toUpperCase() + name.slice(1), values, ...over } },
  });
  const log = (over: Fields): Fields => ({
    logs: [{ level: 'info', message: 'm', source: 's', tags: [], time: '2026-01-01T00:00:00Z', ...over }],
  });
  it.each<[string, Fields]>([
    ['colour', { colour: 'red' }],
    ['host', { host: '  ' }],
    ['host', { host: 7 }],
    ['time', { time: 'yesterday' }],
    ['resource_statuses', { resource_statuses: [] }],
    ['configuration_version', { configuration_version: 1.5 }],
    ['report_format', { report_format: 10 }],
    ['status', { status: 'great' }],
    ['noop', { noop: 'false' }],
    ['transaction_uuid', { transaction_uuid: 'x' }],
    ['code_id', { code_id: null }],
    ['job_id', { job_id: 5 }],
    ['cached_catalog_status', { cached_catalog_status: 'maybe' }],
    ['corrective_change', { corrective_change: null }],
    ['logs', { logs: null }],
    ['logs[0].level', log({ level: 'loud' })],
    ['logs[0].line', log({ line: 'seven' })],
    ['logs[0].tags', log({ tags: [1] })],
    ['logs[0].time', log({ time: 'noon' })],
    ['logs[0].colour', log({ colour: 'red' })],
    ['metrics', { metrics: {} }],
    [
      'metrics.speed',
      { ...metric('changes', []), metrics: { changes: { name: 'changes', label: 'Changes', values: [] }, speed: {} } },
    ],
    ['metrics.time.label', metric('time', [], { label: 'Tim' })],
    ['metrics.time.values[0]', metric('time', [['total', 'Total']])],
    ['metrics.time.values[0][2]', metric('time', [['total', 'Total', '1']])],
    ['metrics.resources.values[0][0]', metric('resources', [['lost', 'Lost', 1]])],
    ['metrics.resources.values[0][1]', metric('resources', [['failed', 'Fail', 1]])],
    ['metrics.resources.values[0][2]', metric('resources', [['failed', 'Failed', 1.5]])],
    ['metrics.events.values', metric('events', [])],
    ['metrics', metric('time', [['total', 'Total', 1e300]])],
    ['resource_statuses["File[/a]"].skipped', file({ skipped: 'no' })],
    ['resource_statuses["File[/a]"].resource_type', file({ resource_type: 'file' })],
    ['resource_statuses["File[/a]"].change_count', file({ change_count: 0.5 })],
    ['resource_statuses["File[/a]"].evaluation_time', file({ evaluation_time: 'long' })],
    ['resource_statuses["File[/a]"].containment_path', file({ containment_path: 'x' })],
    ['resource_statuses["File[/a]"].events', file({ events: {} })],
    ['resource_statuses["File[/a]"].events[0].status', file({ events: [event({ status: 'good' })] })],
    ['resource_statuses["File[/a]"].events[0].time', file({ events: [event({ time: '' })] })],
    ['resource_statuses["File[/a]"].events[0].name', file({ events: [without(event(), 'name')] })],
  ])('has %s wrong', (path, over) => {
    expect(problemsOf(agentReport(over)).map((problem) => problem.path)).toEqual([path]);
  });

  it('tells all that is wrong at once', () => {
    const logs = Array.from({ length: 40 }, () => ({}));
    expect(problemsOf(agentReport({ logs, noop: 1 }))).toHaveLength(201);
  });

  it.each<[string, Buffer, string]>([
    ['no JSON', Buffer.from('{"host":'), 'wire.json'],
    ['more than one document', Buffer.from('{} {}'), 'wire.json'],
    ['no object', Buffer.from('[]'), 'wire.shape'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'wire.encoding'],
    ['too deep', Buffer.from(`{"host":${'['.repeat(10_000)}`), 'wire.limit'],
  ])('is %s', (_what, bytes, code) => {
    expect(() => readAgentReport(bytes, receivedAt)).toThrow(expect.objectContaining({ code }));
  });

  it('names a resource twice', () => {
    const one = JSON.stringify(status('/a'));
    const text = JSON.stringify(agentReport({ resource_statuses: 'HERE' })).replace(
      '"HERE"',
      `{"File[/a]":${one},"File[/a]":${one}}`,
    );
    expect(() => readAgentReport(Buffer.from(text), receivedAt)).toThrow(/one entry of this name/);
  });
});

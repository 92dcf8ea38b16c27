import { isFault } from '#fault';
import type { WireReport } from '../documents';
import { readCommand } from '../read-command';
import good from './sample-report.json';

const { certname } = good;
const uuid = '0f0e0d0c-0b0a-4908-8706-050403020100';
const time = '2031-02-03T04:05:06.000Z';
const status = good.resources[0]!;
const event = status.events[0]!;
const log = good.logs[0]!;
const metric = good.metrics[0]!;

const readText = (text: string, version = 8): WireReport =>
  readCommand({ command: 'store report', version, certname }, Buffer.from(text)) as WireReport;
const read = (change: object = {}, version = 8): WireReport =>
  readText(JSON.stringify({ ...good, ...change }), version);
const problems = (change: object, version = 8): unknown => {
  try {
    read(change, version);
  } catch (error) {
    if (isFault(error)) return error.details;
    throw error;
  }
  return [];
};
const withStatus = (change: object): object => ({ resources: [{ ...status, ...change }] });
const withEvent = (change: object): object => withStatus({ events: [{ ...event, ...change }] });
const withLog = (change: object): object => ({ logs: [{ ...log, ...change }] });
const withMetric = (change: object): object => ({ metrics: [{ ...metric, ...change }] });

describe('store report 8', () => {
  it('gives the report', () => {
    const report = read();

    expect(report).toMatchObject({
      kind: 'report',
      certname,
      environment: 'grove',
      status: 'changed',
      noop: false,
      noopPending: true,
      correctiveChange: true,
      agentVersion: '8.9.1',
      reportFormat: 12,
      configurationVersion: 'r17',
      startTime: '2031-02-03T02:05:06.789Z',
      endTime: time,
      producerTimestamp: time,
      producer: 'acorn.test',
      transactionUuid: uuid,
      catalogUuid: uuid,
      codeId: 'c',
      cachedCatalogStatus: 'not_used',
      jobId: 'j',
      type: 'plan',
    });
    expect(report.events).toEqual([
      {
        status: 'success',
        timestamp: '2031-02-03T04:05:06.123Z',
        resourceType: 'File',
        resourceTitle: '/etc/ü',
        property: 'mode',
        name: 'changed',
        newValue: '"0644"',
        oldValue: '7',
        message: 'm',
        file: '/m/wood.pp',
        line: 3,
        containmentPath: ['Stage[main]', 'Wood', 'File[/etc/ü]'],
        containingClass: 'Wood',
        correctiveChange: true,
      },
    ]);
    expect(JSON.parse(report.logs)).toEqual([log]);
    expect(JSON.parse(report.metrics)).toEqual([metric]);
    expect(JSON.parse(report.resources)).toEqual([
      { ...status, events: [{ ...event, timestamp: '2031-02-03T04:05:06.123Z' }] },
    ]);
  });

  it('understands both names of the version of the agent', () => {
    const renamed = read({ puppet_version: undefined, agent_version: '8.9.1' });
    expect(renamed).toEqual(read());
  });

  it.each([
    { job_id: undefined, type: undefined },
    {
      metrics: null,
      logs: null,
      resources: null,
      status: null,
      noop: null,
      noop_pending: null,
      corrective_change: null,
    },
    {
      producer: null,
      transaction_uuid: null,
      catalog_uuid: null,
      code_id: null,
      job_id: null,
      cached_catalog_status: null,
    },
    { status: 'odd', cached_catalog_status: 'odd' },
    { metrics: [], logs: [], resources: [] },
    withStatus({ file: null, line: null, containment_path: null, events: null }),
    withEvent({
      status: 'odd',
      property: null,
      name: undefined,
      message: null,
      new_value: null,
      old_value: { a: [1] },
      corrective_change: null,
    }),
    withLog({ level: 'odd', tags: null, file: '/m', line: 12345678901 }),
  ])('accepts %j', (change) => {
    expect(problems(change)).toEqual([]);
  });

  const strict = 'an ISO 8601 time with an offset';
  it.each<[string, object, string, string]>([
    ['certname', { certname: null }, 'a string', 'null'],
    ['environment', { environment: null }, 'a string', 'null'],
    ['environment', { environment: undefined }, 'a value', 'nothing'],
    ['puppet_version', { puppet_version: undefined }, 'a value', 'nothing'],
    ['report_format', { report_format: '12' }, 'an integer', 'a string'],
    ['report_format', { report_format: 40000 }, 'an integer of 16 bits', 'a larger one'],
    ['report_format', { report_format: 1.5 }, 'an integer of 16 bits', 'a number with a point or an exponent'],
    ['start_time', { start_time: '2031-02-03' }, strict, '"2031-02-03"'],
    ['end_time', { end_time: 1930000000000 }, strict, 'a number'],
    ['producer_timestamp', { producer_timestamp: null }, strict, 'null'],
    ['producer', { producer: undefined }, 'a value', 'nothing'],
    ['catalog_uuid', { catalog_uuid: 'nope' }, 'a UUID', '"nope"'],
    ['corrective_change', { corrective_change: undefined }, 'a value', 'nothing'],
    ['noop', { noop: 'yes' }, 'a boolean or null', 'a string'],
    ['type', { type: null }, 'a string', 'null'],
    ['type', { type: 'any' }, '"agent" or "plan"', '"any"'],
    ['metrics', { metrics: {} }, 'an array or null', 'an object'],
    ['logs', { logs: 'x' }, 'an array or null', 'a string'],
    ['resources', { resources: 7 }, 'an array or null', 'a number'],
    ['colour', { colour: 1 }, 'no field of this name', 'a number'],
    ['resource_events', { resource_events: [] }, 'no field of this name', 'an array'],
    ['metrics[0].value', withMetric({ value: '1' }), 'a number', 'a string'],
    ['metrics[0].name', withMetric({ name: null }), 'a string', 'null'],
    ['metrics[0].colour', withMetric({ colour: 1 }), 'no field of this name', 'a number'],
    ['logs[0].time', withLog({ time: undefined }), 'a value', 'nothing'],
    ['logs[0].time', withLog({ time: 'noon' }), strict, '"noon"'],
    ['logs[0].message', withLog({ message: null }), 'a string', 'null'],
    ['logs[0].line', withLog({ line: '3' }), 'an integer or null', 'a string'],
    ['logs[0].tags', withLog({ tags: [1] }), 'an array of strings or null', 'one with other elements'],
    ['logs[0].file', withLog({ file: 7 }), 'a string or null', 'a number'],
    ['resources[0].skipped', withStatus({ skipped: null }), 'a boolean', 'null'],
    ['resources[0].corrective_change', withStatus({ corrective_change: undefined }), 'a value', 'nothing'],
    ['resources[0].line', withStatus({ line: 2 ** 31 }), 'an integer of 32 bits', 'a larger one'],
    ['resources[0].containment_path[1]', withStatus({ containment_path: ['a', null] }), 'a string', 'null'],
    ['resources[0].containment_path', withStatus({ containment_path: 'a' }), 'an array of strings or null', 'a string'],
    ['resources[0].resource_title', withStatus({ resource_title: 'a\0' }), 'a string without U+0000', 'one with it'],
    ['resources[0].events', withStatus({ events: {} }), 'an array or null', 'an object'],
    ['resources[0].events[0].status', withEvent({ status: null }), 'a string', 'null'],
    ['resources[0].events[0].timestamp', withEvent({ timestamp: 'noon' }), strict, '"noon"'],
    ['resources[0].events[0].old_value', withEvent({ old_value: undefined }), 'a value', 'nothing'],
    ['resources[0].events[0].message', withEvent({ message: 'a\0' }), 'a string without U+0000', 'one with it'],
    ['resources[0].events[0].colour', withEvent({ colour: 1 }), 'no field of this name', 'a number'],
  ])('%s of %j: expected %s, found %s', (path, change, expected, found) => {
    expect(problems(change)).toEqual([{ path, expected, found }]);
  });

  it('spells numbers and texts as answers do', () => {
    const sent = JSON.stringify({
      ...good,
      ...withEvent({ new_value: 'NEW', old_value: 'a\0' }),
      ...withLog({ message: 'a\0', line: 3 }),
      metrics: [metric, { ...metric, value: 'SMALL' }],
    })
      .replace('"NEW"', '{"b":1e21,"a":[1.50,-0.0,"\\ud800"]}')
      .replace('"SMALL"', '1.2e-4');
    const report = readText(sent);
    expect(report.events[0]).toMatchObject({ newValue: '{"a":[1.5,-0.0,"?"],"b":1.0E21}', oldValue: '"a\ufffd"' });
    expect(report.metrics).toBe(
      '[{"name":"total","value":1.5,"category":"time"},{"name":"total","value":0.00012,"category":"time"}]',
    );
    expect(JSON.parse(report.logs)).toEqual([{ ...log, message: 'a\ufffd', line: 3 }]);
    expect(report.resources).toContain('"new_value":{"a":[1.5,-0.0,"?"],"b":1.0E21}');
  });

  it('has one event without values for a skipped resource', () => {
    const skipped = {
      status: 'skipped',
      timestamp: time,
      property: null,
      name: null,
      newValue: 'null',
      oldValue: 'null',
      message: null,
      resourceTitle: '/etc/ü',
    };
    expect(read(withStatus({ skipped: true })).events).toMatchObject([skipped]);
    expect(read(withStatus({ skipped: true, events: [] })).events).toMatchObject([skipped]);
    expect(read(withStatus({ events: [] })).events).toEqual([]);
  });

  it('has each event once, however alike the others are', () => {
    const others = [
      { new_value: 'z' },
      { message: 'z' },
      { name: 'z' },
      { old_value: 7.5 },
      { status: 'noop' },
      { timestamp: time },
      { property: null },
    ];
    const events = [event, event, ...others.map((change) => ({ ...event, ...change })), event];
    expect(read(withStatus({ events })).events).toHaveLength(others.length + 1);
    expect(
      read({
        resources: [status, status, { ...status, file: '/other' }, { ...status, timestamp: '2031-02-03T04:05:07Z' }],
      }).events,
    ).toHaveLength(2);
  });

  it.each([
    [['Stage[main]', 'Foo', 'Foo[x]', 'Bar', 'File[/x]'], 'Bar'],
    [['File[/x]'], null],
    [[''], null],
    [[], null],
    [null, null],
  ])('finds in %j the class %j', (containment_path, containingClass) => {
    expect(read(withStatus({ containment_path })).events[0]).toMatchObject({
      containmentPath: containment_path,
      containingClass,
    });
  });
});

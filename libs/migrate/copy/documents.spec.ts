import { catalogCommand, factsCommand, inputsCommand, reportCommand, stateCommands } from './documents';

const time = '2026-01-31T12:00:00.000Z';

it('facts keep their numbers as they are spelled', () => {
  const { payload, ...command } = factsCommand(
    `{"certname":"a","environment":null,"timestamp":"${time}","producer_timestamp":"${time}","producer":"p","hash":"h",
      "facts":{"href":"/x","data":[{"name":"f","value":1.0},{"name":"say \\"b\\"","value":{"n":123456789012345678901234567890}}]}}`,
    ['["bash","5.1","apt"]'],
  );
  expect(command).toEqual({ command: 'replace facts', version: 5, certname: 'a' });
  expect(payload).toBe(
    `{"certname":"a","environment":null,"producer_timestamp":"${time}","producer":"p",` +
      '"values":{"f":1.0,"say \\"b\\"":{"n":123456789012345678901234567890}},"package_inventory":[["bash","5.1","apt"]]}',
  );
});

it('a catalog loses what only answers have, and what is null there', () => {
  const { payload } = catalogCommand(
    `{"certname":"a","version":"1","environment":"e","transaction_uuid":null,"catalog_uuid":null,"code_id":null,"hash":"h","producer_timestamp":"${time}","producer":null,
      "resources":{"href":"/r","data":[{"certname":"a","resource":"abc","type":"File","title":"/x","exported":false,"file":null,"line":null,"tags":["t"],"parameters":{"size":1.0}}]},
      "edges":{"href":"/e","data":[{"certname":"a","relationship":"contains","source_title":"main","source_type":"Stage","target_title":"/x","target_type":"File"}]}}`,
  );
  const document = JSON.parse(payload) as { resources: object[]; edges: object[] };
  expect(document).toEqual({
    certname: 'a',
    version: '1',
    environment: 'e',
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: null,
    producer_timestamp: time,
    producer: null,
    job_id: null,
    resources: [{ type: 'File', title: '/x', exported: false, tags: ['t'], parameters: { size: 1 } }],
    edges: [
      { source: { type: 'Stage', title: 'main' }, target: { type: 'File', title: '/x' }, relationship: 'contains' },
    ],
  });
  expect(payload).toContain('"size":1.0');
});

it("a report's events are grouped by their resource; one that was skipped has none", () => {
  const event = (over: object): object => ({
    status: 'success',
    timestamp: time,
    resource_type: 'File',
    resource_title: '/x',
    property: 'ensure',
    name: null,
    new_value: 'a',
    old_value: null,
    message: 'm',
    file: null,
    line: 3,
    containment_path: ['Stage[main]'],
    containing_class: null,
    corrective_change: null,
    ...over,
  });
  const { payload } = reportCommand(
    JSON.stringify({
      certname: 'a',
      agent_version: '7.0.0',
      report_format: 12,
      hash: 'h',
      receive_time: time,
      type: 'agent',
      job_id: null,
      producer_timestamp: time,
      resource_events: {
        href: '/x',
        data: [
          event({}),
          event({ resource_title: '/y', status: 'skipped', property: null, new_value: null, message: null }),
          event({ property: 'mode' }),
          event({ resource_title: '/z', status: 'skipped' }),
        ],
      },
      metrics: { href: '/m', data: [{ category: 'time', name: 'total', value: 1.5 }] },
      logs: { href: '/l', data: null },
      resources: { href: '/r', data: null },
    }),
  );
  const document = JSON.parse(payload) as Record<string, unknown> & { resources: { events: object[] }[] };
  expect(document).toMatchObject({ puppet_version: '7.0.0', type: 'agent', metrics: [{ value: 1.5 }], logs: [] });
  expect(document).not.toHaveProperty('job_id');
  expect(document).not.toHaveProperty('hash');
  expect(document.resources.map(({ events }) => events.length)).toEqual([2, 0, 1]);
  expect(document.resources).toMatchObject([
    { skipped: false, resource_title: '/x', line: 3 },
    { skipped: true, resource_title: '/y', timestamp: time },
    // A skipped property is an event of its resource.
    { skipped: false, resource_title: '/z', events: [{ status: 'skipped', property: 'ensure' }] },
  ]);
});

it('inputs, deactivation and expiration are commands, where there are any', () => {
  expect(
    inputsCommand(`{"certname":"a","producer_timestamp":"${time}","catalog_uuid":"u","inputs":[["hiera","x"]]}`),
  ).toEqual({
    command: 'replace catalog inputs',
    version: 1,
    certname: 'a',
    payload: `{"certname":"a","producer_timestamp":"${time}","catalog_uuid":"u","inputs":[["hiera","x"]]}`,
  });
  const node = { certname: 'a', deactivated: null, expired: null, expiresFacts: true, expiresFactsUpdated: null };
  expect(stateCommands(node)).toEqual([]);
  const both = stateCommands({ ...node, deactivated: time, expiresFacts: false, expiresFactsUpdated: time });
  expect(both.map(({ command, version }) => [command, version])).toEqual([
    ['configure expiration', 1],
    ['deactivate node', 3],
  ]);
});

it.each(['[]', '{"certname":"a"}', '{"certname":"a","facts":{"data":[{}]}}', '{"certname":"a","facts":{"data":{}}}'])(
  'what is no factset is told: %s',
  (text) => {
    if (text === '{"certname":"a"}') expect(factsCommand(text, []).payload).toContain('"values":{}');
    else expect(() => factsCommand(text, [])).toThrow(expect.objectContaining({ code: 'migrate.unreadable' }));
  },
);

// More than a hundred commands, good and bad, each with what it is about. Commands of one machine are to be sent in order.
// No factset without facts: while a machine has one, the reference cannot answer /fact-contents for it.
import { gzipSync } from 'node:zlib';

const at = (seconds) => new Date(Date.UTC(2024, 4, 5, 5, 5, 5) + seconds * 1000).toISOString();
const uuid = (last) => `68b08e2a-eeb1-4322-b241-${String(last).padStart(12, '0')}`;
const without = (document, ...fields) =>
  Object.fromEntries(Object.entries(document).filter(([key]) => !fields.includes(key)));

const facts = (certname, values, over = {}) => ({
  certname,
  environment: 'production',
  producer: 'p.example.test',
  producer_timestamp: at(0),
  values,
  ...over,
});
const file = (title, over = {}) => ({
  type: 'File',
  title,
  exported: false,
  file: '/site.pp',
  line: 3,
  tags: ['file', 'class'],
  parameters: { ensure: 'file' },
  ...over,
});
const edge = (from, to, relationship = 'contains') => ({
  source: { type: 'File', title: from },
  target: { type: 'File', title: to },
  relationship,
});
const catalog = (certname, resources, edges = [], over = {}) => ({
  certname,
  environment: 'production',
  producer: 'p.example.test',
  producer_timestamp: at(0),
  version: '1',
  transaction_uuid: uuid(1),
  catalog_uuid: uuid(2),
  code_id: null,
  job_id: null,
  resources,
  edges,
  ...over,
});
const event = (over = {}) => ({
  status: 'success',
  timestamp: at(1),
  property: 'ensure',
  name: null,
  new_value: 'present',
  old_value: 'absent',
  message: 'created',
  corrective_change: false,
  ...over,
});
const status = (events, over = {}) => ({
  resource_type: 'File',
  resource_title: '/a',
  file: '/site.pp',
  line: 3,
  skipped: false,
  timestamp: at(1),
  containment_path: ['Stage[main]', 'Ntp', 'File[/a]'],
  corrective_change: false,
  events,
  ...over,
});
const report = (certname, resources = [], over = {}) => ({
  certname,
  environment: 'production',
  producer: 'p.example.test',
  producer_timestamp: at(0),
  puppet_version: '8.0.0',
  report_format: 12,
  configuration_version: '1',
  start_time: at(0),
  end_time: at(60),
  transaction_uuid: uuid(3),
  catalog_uuid: null,
  code_id: null,
  job_id: null,
  cached_catalog_status: 'not_used',
  status: 'changed',
  noop: false,
  noop_pending: false,
  corrective_change: false,
  logs: [],
  metrics: [],
  resources,
  ...over,
});

const commands = [];
const versions = {
  'replace facts': 5,
  'replace catalog': 9,
  'store report': 8,
  'deactivate node': 3,
  'configure expiration': 1,
  'replace catalog inputs': 1,
};

/**
 * `how.query`: additional parameters (undefined removes one), `how.headers`, `how.method`, `how.gzip`, `how.whole`: the
 * old form.
 */
function send(note, command, certname, payload, how = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { query = {}, headers = {}, method = 'POST', gzip = false, whole = false } = how;
  const version = how.version ?? versions[command];
  const plain = whole ? JSON.stringify({ command, version, payload, ...how.members }) : text;
  const parameters = whole ? query : { command, version, certname, ...query };
  const known = Object.entries(parameters).filter(([, value]) => value !== undefined);
  commands.push({
    id: commands.length + 1,
    note,
    certname,
    method,
    query: Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
    headers: { 'content-type': 'application/json', ...(gzip ? { 'content-encoding': 'gzip' } : {}), ...headers },
    body: gzip ? gzipSync(plain) : Buffer.from(plain),
  });
}
let machines = 0;
const machine = (topic) => `${topic}${++machines}.same.test`;

function factCommands() {
  const each = (note, values, over, how) => {
    const certname = machine('facts');
    send(note, 'replace facts', certname, facts(certname, values, over), how);
  };
  each('plain facts', { role: 'web', cores: 4, load: 1.5, virtual: true, none: null });
  each('structured facts', {
    os: { name: 'Debian', release: { major: '12' } },
    disks: ['sda', { size: 7 }],
    e: {},
    l: [],
  });
  each('numbers', { one: 1.0, big: 12345678901234567890n.toString(), small: 1.5e-9 });
  const spelled = machine('facts');
  send(
    'numbers as spelled',
    'replace facts',
    spelled,
    JSON.stringify(facts(spelled, 'V')).replace('"V"', '{"a":1.0,"b":1e3,"c":-0.0,"d":12345678901234567890,"e":1E21}'),
  );
  each('U+0000 in a value', { nul: 'a\u0000b' });
  each('any text', { smile: '😀 ü', 'a.b': { 'c"d': 'e\\f' }, '': 'empty name' });
  each('null environment and producer', { a: 1 }, { environment: null, producer: null });
  each('date only', { a: 1 }, { producer_timestamp: '2024-05-05' });
  each('time as a number', { a: 1 }, { producer_timestamp: 1714885505123 });
  each('time with an offset and further digits', { a: 1 }, { producer_timestamp: '2024-05-05T07:05:05.123987+02:00' });
  each(
    'packages',
    { a: 1 },
    {
      package_inventory: [
        ['vim', '9', 'apt'],
        ['vim', '9', 'apt'],
        ['ssl', '3', 'gem'],
      ],
    },
  );
  each('no packages', { a: 1 }, { package_inventory: [] });
  each('compressed', { a: 1 }, {}, { gzip: true });
  each('name with an underscore', { a: 1 }, {}, { query: { command: 'replace_facts' } });
  each('version 4', { a: 1 }, {}, { version: 4 });
  each('an unknown field', { a: 1 }, { extra: true });
  each('values are a list', [1]);
  each('bad time', { a: 1 }, { producer_timestamp: 'yesterday' });
  each('environment is a number', { a: 1 }, { environment: 5 });
  each('packages of two', { a: 1 }, { package_inventory: [['vim', '9']] });
  each('huge number', { a: 'H' });
  for (const field of ['environment', 'producer', 'producer_timestamp', 'values']) {
    const certname = machine('facts');
    send(`without ${field}`, 'replace facts', certname, without(facts(certname, { a: 1 }), field));
  }
  const order = machine('order');
  const step = (note, values, seconds, over) =>
    send(note, 'replace facts', order, facts(order, values, { producer_timestamp: at(seconds), ...over }));
  step('first', { a: 1, b: { c: 1 } }, 10, { package_inventory: [['vim', '9', 'apt']] });
  step('older: ignored', { a: 2 }, 5);
  step('equal time: replaces', { a: 3, d: [1, 2] }, 10, { environment: 'test' });
  step('newer', { a: 3, d: [1] }, 20);
  send('no list: packages go', 'replace facts', order, facts(order, { a: 4 }, { producer_timestamp: at(21) }));
}

function catalogCommands() {
  const each = (note, resources, edges, over, how) => {
    const certname = machine('catalog');
    send(note, 'replace catalog', certname, catalog(certname, resources, edges, over), how);
  };
  each('empty', []);
  each('resources and edges', [file('/a'), file('/b', { line: null, file: null })], [edge('/a', '/b')]);
  each('parameters', [file('/a', { parameters: { n: 7, f: 1.0, list: [1, 'x'], map: { k: null }, undef: null } })]);
  each('exported, other type', [file('/a', { exported: true }), { ...file('x'), type: 'Class' }]);
  each('aliases and unknown fields', [file('/a', { aliases: ['b'], wild: 1 })], [], { wild: 1 });
  each('tags', [file('/a', { tags: ['ä1:x.y-z', 'b'] })]);
  each('repeated tags', [file('/a', { tags: ['a', 'a'] })]);
  each('repeated edge', [file('/a'), file('/b')], [edge('/a', '/b'), edge('/a', '/b')]);
  each('null environment, uuids and producer', [], [], {
    environment: null,
    producer: null,
    transaction_uuid: null,
    catalog_uuid: null,
  });
  each('code and job', [], [], { code_id: 'c0de', job_id: '7' });
  each('version is a number', [], [], { version: 1 });
  each('uuid that is none', [], [], { transaction_uuid: 'x' });
  each('bad tag', [file('/a', { tags: ['Capital'] })]);
  each('edge to nowhere', [file('/a')], [edge('/a', '/b')]);
  each('unknown relationship', [file('/a'), file('/b')], [edge('/a', '/b', 'likes')]);
  each('resource twice', [file('/a'), file('/a')]);
  each('resource without a title', [without(file('/a'), 'title')]);
  each('line is text', [file('/a', { line: '3' })]);
  each('title with U+0000', [file('/a\u0000')]);
  for (const relationship of ['before', 'notifies', 'subscription-of', 'required-by'])
    each(relationship, [file('/a'), file('/b')], [edge('/a', '/b', relationship)]);
  for (const field of ['producer', 'catalog_uuid', 'code_id', 'environment', 'transaction_uuid', 'job_id', 'version']) {
    const certname = machine('catalog');
    send(`without ${field}`, 'replace catalog', certname, without(catalog(certname, []), field));
  }
  const old = machine('catalog');
  const sixth = without(catalog(old, [file('/a')]), 'producer', 'catalog_uuid', 'code_id', 'job_id');
  send('version 6', 'replace catalog', old, sixth, { version: 6 });
  const order = machine('order');
  const step = (note, seconds, resources, over) =>
    send(note, 'replace catalog', order, catalog(order, resources, [], { producer_timestamp: at(seconds), ...over }));
  step('first', 10, [file('/a'), file('/b')]);
  step('same resources', 11, [file('/a'), file('/b')], { version: '2' });
  step('older: ignored', 5, [file('/z')]);
  step('equal time: replaces', 11, [file('/a', { line: 4 }), file('/c')]);
}

function reportCommands() {
  const each = (note, resources, over, how) => {
    const certname = machine('report');
    send(note, 'store report', certname, report(certname, resources, over), how);
  };
  each('no resources');
  each('events', [status([event(), event({ property: 'mode', status: 'failure', message: null })])]);
  each('skipped', [status([], { skipped: true })]);
  each('skipped with events', [status([event()], { skipped: true })]);
  each('nothing happened', [status([])]);
  each('the same event twice', [status([event(), event()])]);
  each('values of any kind', [status([event({ old_value: { a: [1] }, new_value: 1.0 }), event({ property: null })])]);
  each('classes', [
    status([event()], { containment_path: ['Stage[main]', 'A', 'B', 'File[/a]'] }),
    status([event({ status: 'audit' })], { resource_title: '/b', containment_path: null }),
    status([event({ status: 'noop' })], { resource_title: '/c', containment_path: ['Stage[main]'] }),
  ]);
  each('logs and metrics', [], {
    logs: [
      { file: null, line: null, level: 'notice', message: 'done', source: 'Puppet', tags: ['notice'], time: at(2) },
    ],
    metrics: [{ category: 'time', name: 'total', value: 1.5 }],
  });
  each('nulls', [], {
    status: null,
    noop: null,
    noop_pending: null,
    logs: null,
    metrics: null,
    transaction_uuid: null,
  });
  each('plan', [], { type: 'plan' });
  each('agent', [], { type: 'agent' });
  each('another type', [], { type: 'task' });
  each('format is text', [], { report_format: '12' });
  each('time as a number', [], { start_time: 1714885505123 });
  each('further digits', [], { end_time: '2024-05-05T05:06:05.987654Z' });
  each('an unknown field', [], { extra: 1 });
  each('event without status', [status([without(event(), 'status')])]);
  each('event status null', [status([event({ status: null })])]);
  each('job', [], { job_id: '12' });
  for (const field of ['status', 'environment', 'job_id', 'metrics', 'corrective_change']) {
    const certname = machine('report');
    send(`without ${field}`, 'store report', certname, without(report(certname), field));
  }
  const order = machine('order');
  const step = (note, seconds, over) =>
    send(note, 'store report', order, report(order, [status([event()])], { producer_timestamp: at(seconds), ...over }));
  step('first', 10);
  step('same hash, other status: a duplicate', 10, { status: 'failed' });
  step('equal time, other version', 10, { configuration_version: '2', status: 'unchanged' });
  step('older', 5, { status: 'failed' });
  step('newer plan: not the latest', 20, { type: 'plan', status: 'failed' });
  step('same hash as the plan, but of an agent', 20, { type: 'agent', status: 'unchanged' });
}

function nodeCommands() {
  const away = (certname, seconds) => ({ certname, producer_timestamp: at(seconds) });
  const known = (topic, ...steps) => {
    const certname = machine(topic);
    for (const step of steps) step(certname);
  };
  const f = (seconds) => (name) =>
    send(
      `facts at ${seconds}`,
      'replace facts',
      name,
      facts(name, { t: seconds }, { producer_timestamp: at(seconds) }),
    );
  const r = (seconds, over) => (name) =>
    send(`report at ${seconds}`, 'store report', name, report(name, [], { producer_timestamp: at(seconds), ...over }));
  const d = (seconds) => (name) => send(`away at ${seconds}`, 'deactivate node', name, away(name, seconds));
  const x = (seconds, kept) => (name) =>
    send(`expiration at ${seconds}`, 'configure expiration', name, { ...away(name, seconds), expire: { facts: kept } });
  const i =
    (seconds, ...inputs) =>
    (name) =>
      send(`inputs at ${seconds}`, 'replace catalog inputs', name, {
        ...away(name, seconds),
        catalog_uuid: uuid(4),
        inputs,
      });
  known('unseen', d(5));
  known('away', f(1), d(5));
  known('stays', f(9), d(5));
  known('equal', f(5), d(5));
  known('equal', d(5), f(5));
  known('back', f(1), d(5), f(9));
  known('stale', f(1), d(5), f(3));
  known('twice', d(5), d(3));
  known('twice', d(5), d(9));
  known('plan', r(9, { type: 'plan' }), d(5));
  known('plan', d(5), r(9, { type: 'plan' }));
  known('plan', r(9, { type: 'plan' }), d(5), r(9, { type: 'plan' }));
  known('report', r(9), d(5));
  known('inputs', d(5), i(9, ['hiera', 'a']));
  known('inputs', d(5), i(9));
  known('inputs', i(9, ['hiera', 'a']), d(5));
  known(
    'inputs',
    i(5, ['hiera', 'a'], ['hiera', 'b'], ['hiera', 'a']),
    i(5, ['hiera', 'c']),
    i(4, ['hiera', 'd']),
    i(9),
  );
  known('inputs', i(9));
  known('expiration', x(5, false), x(5, true), x(4, true));
  known('expiration', d(5), x(9, false));
  known('expiration', x(9, false), d(5));
  known('expiration', f(1), x(2, false), x(3, true));
  const bare = machine('bare');
  send('without a time', 'deactivate node', bare, { certname: bare });
  const text = machine('bare');
  send('text as payload', 'deactivate node', text, JSON.stringify(text));
  const maybe = machine('bare');
  send('expire is text', 'configure expiration', maybe, { ...away(maybe, 1), expire: { facts: 'no' } });
  const single = machine('bare');
  send('input of one', 'replace catalog inputs', single, {
    ...away(single, 1),
    catalog_uuid: uuid(5),
    inputs: [['a']],
  });
}

function envelopes() {
  const each = (note, how, payload, command = 'replace facts') => {
    const certname = machine('envelope');
    send(note, command, certname, payload ?? facts(certname, { a: 1 }), how);
  };
  each('old form', { whole: true });
  each('old form with an underscore', { whole: true, members: { command: 'replace_facts' } });
  each('old form without a version', { whole: true, members: { version: undefined } });
  each('unknown command', { query: { command: 'replace everything' } });
  each('capitals', { query: { command: 'Replace Facts' } });
  each('no version', { query: { version: undefined } });
  each('version below the least', { query: { version: 3 } });
  each('version from the future', { query: { version: 99 } });
  each('version is text', { query: { version: 'five' } });
  each('no certname', { query: { certname: undefined } });
  each('blank certname', { query: { certname: '' } });
  each('unknown parameter', { query: { nope: 1 } });
  each('producer-timestamp', { query: { 'producer-timestamp': at(0) } });
  each('wrong checksum', { query: { checksum: '0'.repeat(40) } });
  each('not JSON', {}, '{"certname":');
  each('empty body', {}, '');
  each('a list', {}, '[]');
  each('content type text/plain', { headers: { 'content-type': 'text/plain' } });
  each('content type with charset', { headers: { 'content-type': 'application/json; charset=utf-8' } });
  each('accepts text only', { headers: { accept: 'text/html' } });
  each('unknown encoding', { headers: { 'content-encoding': 'br' } });
  each('PUT', { method: 'PUT' });
  each('declared too large', { headers: { 'x-uncompressed-length': '99999999' } });
  const other = machine('envelope');
  send('payload of another machine', 'replace facts', other, facts(`not-${other}`, { a: 1 }));
}

factCommands();
catalogCommands();
reportCommands();
nodeCommands();
envelopes();

/** `{id, note, certname, method, query, headers, body}`, in the order of sending. */
export const commandList = commands;

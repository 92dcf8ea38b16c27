import { defaultLimits } from '#limits';
import { canonicalDocument, readCommand, type WireCatalog } from '#wire';
import { Fleet } from '#fleet';
import { type EntryKind, entryKinds } from '../format/entry-kinds';
import { writtenVersions } from '../format/metadata';
import { DocumentAnonymizer } from './document-anonymizer';
import { rulesOf } from './profiles';

type Profile = keyof typeof rulesOf;
const key = Buffer.alloc(32, 7);
const anonymizerOf = (profile: Profile, with_ = key): DocumentAnonymizer =>
  new DocumentAnonymizer(profile, rulesOf[profile], with_);
const commandOf = (kind: EntryKind): string => entryKinds.find((entry) => entry.kind === kind)!.command;

const time = '2026-01-01T00:00:00.000Z';
const uuid = '0badcafe-0000-4000-8000-00000badcafe';
const node = 'sentinel-node.example.com';
const common = { certname: node, environment: 'sentinel_env', producer: 'sentinel-producer', producer_timestamp: time };

const documents: Readonly<Record<'facts' | 'catalog' | 'report' | 'catalog inputs', object>> = {
  facts: {
    ...common,
    values: {
      kernel: 'Linux',
      sentinel_fact: 'sentinel value',
      sentinel_map: {
        sentinel_key: ['sentinel deep', { sentinel_inner: 'sentinel innermost' }],
        password: 'sentinel-pw',
      },
      sentinel_number: 987654321987,
      sentinel_float: 98765.4321,
      flag: true,
      nothing: null,
      empty: {},
      clientcert: node,
    },
    package_inventory: [['sentinel-package', 'sentinel-1', 'sentinel-apt']],
  },
  catalog: {
    ...common,
    version: 'sentinel-version',
    transaction_uuid: uuid,
    catalog_uuid: uuid,
    code_id: 'sentinel-code',
    job_id: 'sentinel-job',
    resources: [
      {
        type: 'Sentinel::Type',
        title: '/sentinel/title[1]',
        exported: false,
        file: '/sentinel/site.pp',
        line: 987654,
        tags: ['sentinel::class', 'file', node],
        parameters: {
          sentinel_name: 'sentinel parameter',
          password: 'sentinel secret',
          content: { sentinel_key: [1, 2.5, true, null, 'sentinel nested'] },
          require: ['Class[Sentinel::Class]', ['File[/sentinel/b]']],
          notify: 'not a sentinel reference',
          alias: 'sentinel alias',
          tag: ['sentinel_tag'],
          stage: 'sentinel_stage',
        },
      },
      { type: 'Class', title: 'Sentinel::Class', exported: false, tags: ['class'], parameters: {} },
      { type: 'File', title: '/sentinel/b', exported: true, tags: [], parameters: { source: node } },
      { type: 'File', title: '/sentinel/B', exported: true, tags: [], parameters: {} },
      { type: 'Package', title: 'sentinel-package', exported: true, tags: [], parameters: {} },
    ],
    edges: [
      {
        source: { type: 'Class', title: 'Sentinel::Class' },
        target: { type: 'Sentinel::Type', title: '/sentinel/title[1]' },
        relationship: 'contains',
      },
    ],
  },
  report: {
    ...common,
    puppet_version: '8.0.0-sentinel',
    report_format: 12,
    configuration_version: 'sentinel-version',
    start_time: time,
    end_time: time,
    transaction_uuid: `{${uuid.toUpperCase()}}`,
    catalog_uuid: uuid,
    code_id: 'sentinel-code',
    job_id: 'sentinel-job',
    cached_catalog_status: 'sentinel-cached',
    status: 'changed',
    noop: true,
    noop_pending: false,
    corrective_change: false,
    type: 'agent',
    logs: [
      {
        file: '/sentinel/log.pp',
        line: 987654,
        level: 'notice',
        message: 'sentinel message',
        source: '/Stage[main]/Sentinel::Class/Sentinel::Type[/sentinel/title[1]]/sentinel_property',
        tags: ['notice', 'sentinel::class'],
        time,
      },
      { file: null, line: null, level: 'sentinel', message: 'x', source: 'sentinel source', tags: null, time },
    ],
    metrics: [
      { category: 'time', name: 'sentinel::type', value: 1.5 },
      { category: 'resources', name: 'total', value: 5 },
      { category: 'sentinel', name: 'sentinel', value: 5 },
    ],
    resources: [
      {
        resource_type: 'Sentinel::Type',
        resource_title: '/sentinel/title[1]',
        file: '/sentinel/site.pp',
        line: 987654,
        skipped: false,
        timestamp: time,
        containment_path: ['Stage[main]', 'Sentinel::Class', 'Sentinel::Type[/sentinel/title[1]]', ''],
        corrective_change: false,
        events: [
          {
            status: 'noop',
            timestamp: time,
            property: 'sentinel_name',
            name: 'sentinel_event',
            new_value: 'sentinel parameter',
            old_value: ['sentinel old', 987654321987],
            message: 'sentinel event message',
            corrective_change: false,
          },
        ],
      },
    ],
  },
  'catalog inputs': {
    certname: node,
    producer_timestamp: time,
    catalog_uuid: uuid,
    inputs: [
      ['sentinel_type', 'sentinel-input'],
      ['hiera', node],
    ],
  },
};
const kinds = Object.keys(documents) as (keyof typeof documents)[];

const canonical = (kind: EntryKind, text: string, certname: string): string => {
  const command = commandOf(kind);
  const version = writtenVersions[command.replaceAll(' ', '_')]!;
  const options = { limits: defaultLimits, receivedAt: time };
  return canonicalDocument({ command, version, certname }, Buffer.from(text), options);
};

function anonymized(profile: Profile, kind: keyof typeof documents, anonymizer = anonymizerOf(profile)) {
  const text = canonical(kind, JSON.stringify(documents[kind]), node);
  return anonymizer.document({ kind, certname: node, text });
}

const parsed = (profile: Profile, kind: keyof typeof documents): Record<string, unknown> =>
  JSON.parse(anonymized(profile, kind).text) as Record<string, unknown>;

describe.each(['low', 'moderate', 'full'] as const)('profile %s', (profile) => {
  it.each(kinds)('makes %s that can be read, in canonical form', (kind) => {
    const { certname, text } = anonymized(profile, kind);
    expect(canonical(kind, text, certname)).toBe(text);
    const command = commandOf(kind);
    const version = writtenVersions[command.replaceAll(' ', '_')]!;
    expect(readCommand({ command, version, certname }, Buffer.from(text)).certname).toBe(certname);
    expect(text).not.toContain('sentinel-node');
    expect(text).not.toContain('sentinel-producer');
  });

  it('gives equal documents for equal keys, others for others', () => {
    for (const kind of kinds) {
      expect(anonymized(profile, kind)).toEqual(anonymized(profile, kind));
      const other = anonymizerOf(profile, Buffer.alloc(32, 8));
      expect(anonymized(profile, kind, other)).not.toEqual(anonymized(profile, kind));
    }
  });

  it('keeps joins', () => {
    const [facts, catalog, report, inputs] = kinds.map((kind) => parsed(profile, kind)) as [
      Record<string, unknown>,
      { resources: { type: string; title: string; tags: string[] }[]; edges: { source: object; target: object }[] },
      { resources: { resource_type: string; resource_title: string; containment_path: string[] }[] },
      Record<string, unknown>,
    ];
    for (const name of ['certname', 'environment', 'producer'] as const) {
      expect((catalog as unknown as Record<string, unknown>)[name]).toBe(facts[name]);
      expect((report as unknown as Record<string, unknown>)[name]).toBe(facts[name]);
    }
    expect(inputs['catalog_uuid']).toBe((catalog as unknown as Record<string, unknown>)['catalog_uuid']);
    const [edge] = catalog.edges;
    const named = catalog.resources.map(({ type, title }) => JSON.stringify({ title, type }));
    expect(named).toContain(JSON.stringify(edge!.source));
    expect(named).toContain(JSON.stringify(edge!.target));
    expect(new Set(named).size).toBe(5);
    const [status] = report.resources;
    const { resource_type: type, resource_title: title, containment_path: path } = status!;
    expect(named).toContain(JSON.stringify({ title, type }));
    expect(path[2]).toBe(`${type}[${title}]`);
    const source = edge!.source as { title: string };
    expect(path[1]).toBe(source.title);
    expect(catalog.resources.find((one) => one.type === type)!.tags).toContain(source.title.toLowerCase());
  });
});

it('full leaves nothing of what was planted, and of ids', () => {
  for (const kind of kinds) {
    const { text } = anonymized('full', kind);
    expect(text.toLowerCase()).not.toContain('sentinel');
    expect(text.toLowerCase()).not.toContain('badcafe');
    expect(text).not.toMatch(/98765/);
  }
});

it.each(['tag', 'stage', 'alias', 'require', 'before', 'notify', 'subscribe'])(
  'full replaces numbers and booleans of the parameter %s, as those of other parameters',
  (name) => {
    const parameters = { [name]: [31338, [true, 31338.25], null], port: [31338, [true, 31338.25], null] };
    const resources = [{ type: 'Service', title: 'web', exported: false, tags: [], parameters }];
    const text = canonical('catalog', JSON.stringify({ ...documents.catalog, resources, edges: [] }), node);
    const made = anonymizerOf('full').document({ kind: 'catalog', certname: node, text }).text;
    expect(made).not.toContain('31338');
    const [resource] = (JSON.parse(made) as { resources: { parameters: Record<string, unknown> }[] }).resources;
    const [one, other] = Object.values(resource!.parameters);
    expect(one).toEqual([expect.any(Number), [expect.any(Boolean), expect.any(Number)], null]);
    expect(other).toEqual(one);
  },
);

it('values stay of their type', () => {
  const types = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(types)
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(types)
        : typeof value;
  const sorted = (value: unknown): string[] => (types(value) as unknown[]).map((one) => JSON.stringify(one)).sort();
  const { values } = parsed('full', 'facts') as { values: object };
  expect(sorted(values)).toEqual(sorted((documents.facts as { values: object }).values));
  expect(anonymized('full', 'facts').text).toMatch(/:\d+\.\d+/);
});

it('low hides names of nodes, values of parameters and of secret facts, and keeps the rest', () => {
  const facts = parsed('low', 'facts') as { values: Record<string, Record<string, unknown>> };
  expect(facts.values['sentinel_fact']).toBe('sentinel value');
  expect(facts.values['sentinel_map']!['password']).not.toBe('sentinel-pw');
  expect(facts.values['clientcert']).toBe(anonymizerOf('low').certname(node));
  const catalog = anonymized('low', 'catalog').text;
  for (const kept of [
    '/sentinel/title',
    'sentinel_name',
    'sentinel_env',
    'sentinel-version',
    'Class[Sentinel::Class]',
  ]) {
    expect(catalog).toContain(kept);
  }
  expect(catalog).not.toMatch(/sentinel (parameter|secret|nested)/);
  expect(anonymized('low', 'report').text).not.toContain('sentinel message');
  expect(anonymized('low', 'catalog inputs').text).not.toContain('sentinel-input');
});

it('moderate keeps what tells nothing of a site', () => {
  const facts = parsed('moderate', 'facts') as { values: Record<string, unknown> };
  expect(facts.values['kernel']).toBe('Linux');
  expect(JSON.stringify(facts)).not.toMatch(/sentinel( |_|-pw)/);
  const catalog = anonymized('moderate', 'catalog').text;
  for (const kept of ['"title":"sentinel-package"', '"type":"File"', '"line":987654', '"file"', 'sentinel_name']) {
    expect(catalog).toContain(kept);
  }
  expect(catalog).not.toMatch(/Sentinel::|\/sentinel|sentinel_env|sentinel (parameter|secret)/);
});

it('reads and writes what a fleet sends', () => {
  const run = new Fleet('anonymous', 'compact').run(3, 0, { startTime: new Date(Date.UTC(2026, 0, 1)) });
  const { certname, text } = run.catalog;
  const before = canonical('catalog', text, certname);
  const made = anonymizerOf('full').document({ kind: 'catalog', certname, text: before });
  expect(canonical('catalog', made.text, made.certname)).toBe(made.text);
  const read = (of: string, payload: string): WireCatalog =>
    readCommand({ command: 'replace catalog', version: 9, certname: of }, Buffer.from(payload)) as WireCatalog;
  const [was, is] = [read(certname, before).content!, read(made.certname, made.text).content!];
  expect(is.resources.length).toBe(was.resources.length);
  expect(is.edges.length).toBe(was.edges.length);
  expect(made.text).not.toContain(certname);
});

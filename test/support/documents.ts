/** Small valid documents for specs. A change of one member makes them invalid. */
type Fields = Record<string, unknown>;

const common = (certname: string, over: Fields): Fields => ({
  certname,
  environment: 'production',
  producer: 'puppet.test',
  producer_timestamp: '2026-01-01T00:00:00.000Z',
  ...over,
});

export const factset = (certname: string, values: unknown, over: Fields = {}): Fields =>
  common(certname, { values, ...over });

export const resource = (title: string, over: Fields = {}): Fields => ({
  type: 'File',
  title,
  exported: false,
  file: '/site.pp',
  line: 7,
  tags: ['file', 'class'],
  parameters: { ensure: 'file' },
  ...over,
});

export const edge = (from: string, to: string, relationship = 'before'): Fields => ({
  source: { type: 'File', title: from },
  target: { type: 'File', title: to },
  relationship,
});

export const catalog = (certname: string, resources: unknown, edges: unknown, over: Fields = {}): Fields =>
  common(certname, {
    version: '1',
    transaction_uuid: '00000000-0000-4000-8000-000000000001',
    catalog_uuid: '00000000-0000-4000-8000-000000000002',
    code_id: null,
    job_id: null,
    resources,
    edges,
    ...over,
  });

export const event = (property: string, over: Fields = {}): Fields => ({
  status: 'success',
  timestamp: '2026-01-01T00:00:01.000Z',
  property,
  name: null,
  new_value: 'new',
  old_value: 'old',
  message: 'changed',
  corrective_change: false,
  ...over,
});

export const report = (certname: string, events: unknown[], over: Fields = {}): Fields =>
  common(certname, {
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: '1',
    start_time: '2026-01-01T00:00:00.000Z',
    end_time: '2026-01-01T00:01:00.000Z',
    transaction_uuid: '00000000-0000-4000-8000-000000000003',
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
    resources: [
      {
        resource_type: 'File',
        resource_title: '/a',
        file: '/site.pp',
        line: 7,
        skipped: false,
        timestamp: '2026-01-01T00:00:01.000Z',
        containment_path: ['Stage[main]', 'Ntp', 'File[/a]'],
        corrective_change: false,
        events,
      },
    ],
    ...over,
  });

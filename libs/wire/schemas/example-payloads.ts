/** Examples for the OpenAPI document. Together they describe one run of an agent. */
type Payload = Readonly<Record<string, unknown>>;

const transaction = '7b5a7a8c-1c9f-4c5e-9c64-2f1f4b8b7a10';
const catalogUuid = 'd2f3b3a4-6f0e-4a57-8f57-0c9c3d6b5e21';

export function examplePayloads(certname: string, time: string): Readonly<Record<string, Payload>> {
  const common = { certname, environment: 'production', producer: 'puppet.example.com', producer_timestamp: time };
  const file = { file: '/etc/puppetlabs/code/site.pp', line: 3 };
  return {
    'replace facts': {
      ...common,
      values: {
        kernel: 'Linux',
        os: { name: 'Debian', family: 'Debian', release: { full: '12.5', major: '12' } },
        processors: { count: 4 },
        networking: { ip: '192.0.2.17' },
      },
      package_inventory: [
        ['openssl', '3.0.15-1~deb12u1', 'apt'],
        ['ntpsec', '1.2.2+dfsg1-1+deb12u1', 'apt'],
      ],
    },
    'replace catalog': {
      ...common,
      version: '1767225600',
      transaction_uuid: transaction,
      catalog_uuid: catalogUuid,
      code_id: null,
      job_id: null,
      resources: [
        { type: 'Class', title: 'Ntp', exported: false, tags: ['class', 'ntp'], ...file, parameters: {} },
        {
          type: 'File',
          title: '/etc/ntp.conf',
          exported: false,
          tags: ['file', 'ntp'],
          ...file,
          parameters: { ensure: 'file', mode: '0644' },
        },
      ],
      edges: [
        {
          source: { type: 'Class', title: 'Ntp' },
          target: { type: 'File', title: '/etc/ntp.conf' },
          relationship: 'contains',
        },
      ],
    },
    'store report': {
      ...common,
      puppet_version: '8.10.0',
      report_format: 12,
      configuration_version: '1767225600',
      start_time: time,
      end_time: time,
      transaction_uuid: transaction,
      catalog_uuid: catalogUuid,
      code_id: null,
      job_id: null,
      cached_catalog_status: 'not_used',
      status: 'changed',
      noop: false,
      noop_pending: false,
      corrective_change: false,
      logs: [
        {
          level: 'notice',
          message: 'Applied catalog in 1.52 seconds',
          source: 'Puppet',
          tags: ['notice'],
          time,
          file: null,
          line: null,
        },
      ],
      metrics: [
        { category: 'resources', name: 'total', value: 2 },
        { category: 'time', name: 'total', value: 1.52 },
      ],
      resources: [
        {
          resource_type: 'File',
          resource_title: '/etc/ntp.conf',
          ...file,
          skipped: false,
          timestamp: time,
          containment_path: ['Stage[main]', 'Ntp', 'File[/etc/ntp.conf]'],
          corrective_change: false,
          events: [
            {
              status: 'success',
              timestamp: time,
              name: 'content_changed',
              property: 'content',
              old_value: '{md5}0cc175b9c0f1b6a831c399e269772661',
              new_value: '{md5}92eb5ffee6ae2fec3ad71c777531578f',
              message: 'content changed',
              corrective_change: false,
            },
          ],
        },
      ],
    },
    'configure expiration': { certname, expire: { facts: true }, producer_timestamp: time },
    'replace catalog inputs': {
      certname,
      catalog_uuid: catalogUuid,
      producer_timestamp: time,
      inputs: [
        ['hiera', 'ntp::servers'],
        ['hiera', 'ntp::driftfile'],
      ],
    },
    'deactivate node': { certname: 'retired.example.com', producer_timestamp: time },
  };
}

export const exampleAgentReport = (host: string, time: string): Payload => ({
  host,
  time,
  configuration_version: 1767225600,
  report_format: 9,
  agent_version: '5.5.22',
  status: 'unchanged',
  transaction_completed: true,
  noop: false,
  noop_pending: false,
  environment: 'production',
  master_used: 'puppet.example.com',
  transaction_uuid: '1f0a9f0e-7cf4-4f3c-8f1a-5c7b9d2e6a01',
  logs: [],
  metrics: { changes: { name: 'changes', label: 'Changes', values: [['total', 'Total', 0]] } },
  resource_statuses: {},
});

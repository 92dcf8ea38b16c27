import { catalog, factset, report, resource } from '../../support/documents';

/** An old load balancer that was copied from another machine. The simulated fleet has no such machine. */
export const loadBalancer = 'lb-0001.zrh2.f41b011.example.net';

const code_id = '0d1e44b4a4a8d1f6b1dbd6a1f2c6c3b7a5e9d001';

/** Returns the commands of one run. `copied`: the facts that it shares with the original machine. */
export function loadBalancerRun(
  time: Date,
  copied: Readonly<Record<string, unknown>>,
): [command: string, payload: unknown][] {
  const producer_timestamp = time.toISOString();
  const facts = {
    ...copied,
    role: 'lb',
    datacenter: 'zrh2',
    kernel: 'Linux',
    kernelrelease: '5.10.0-28-amd64',
    os: { name: 'Debian', family: 'Debian', release: { full: '11.9', major: '11' } },
    processors: { count: 4 },
    memory: { system: { total_bytes: 8_321_499_136 } },
    mountpoints: { '/': { available: '3.10 GiB', available_bytes: 3_328_599_654, capacity: '92.41%' } },
    system_uptime: { days: 412 },
    patching: { security_update_count: 31, reboot: { required: true } },
    listening_ports: [22, 80, 443],
  };
  const package_inventory = [
    ['openssl', '1.1.1w-0+deb11u1', 'apt'],
    ['haproxy', '2.2.9-2+deb11u6', 'apt'],
  ];
  const haproxy = '/etc/puppetlabs/code/environments/production/modules/haproxy/manifests';
  const resources = [
    declared('Class', 'Haproxy', `${haproxy}/init.pp`, 1, {}),
    declared('Package', 'haproxy', `${haproxy}/init.pp`, 12, { ensure: 'installed' }),
    declared('Haproxy::Frontend', 'https', `${haproxy}/init.pp`, 31, { ip: '*', port: 443, mode: 'tcp' }),
    declared('Firewall', '200 accept https', `${haproxy}/firewall.pp`, 4, { dport: 443, proto: 'tcp', jump: 'accept' }),
    declared(
      'File',
      '/etc/ssh/sshd_config',
      '/etc/puppetlabs/code/environments/production/modules/ssh/manifests/init.pp',
      18,
      {
        ensure: 'file',
        mode: '0600',
      },
    ),
  ];
  const event = {
    status: 'failure',
    timestamp: producer_timestamp,
    property: 'ensure',
    name: null,
    old_value: 'purged',
    new_value: 'present',
    corrective_change: false,
    message: "change from 'purged' to 'present' failed: E: Unable to locate package haproxy",
  };
  const failed = {
    resource_type: 'Package',
    resource_title: 'haproxy',
    file: `${haproxy}/init.pp`,
    line: 12,
    skipped: false,
    timestamp: producer_timestamp,
    containment_path: ['Stage[main]', 'Haproxy', 'Package[haproxy]'],
    corrective_change: false,
    events: [event],
  };
  const metrics = [
    { category: 'time', name: 'config_retrieval', value: 2.61 },
    { category: 'time', name: 'total', value: 18.4 },
  ];
  const run = {
    producer_timestamp,
    start_time: producer_timestamp,
    end_time: producer_timestamp,
    code_id,
    puppet_version: '6.28.0',
  };
  return [
    ['replace facts', factset(loadBalancer, facts, { producer_timestamp, package_inventory })],
    ['replace catalog', catalog(loadBalancer, resources, [], { producer_timestamp, code_id })],
    ['store report', report(loadBalancer, [], { ...run, status: 'failed', metrics, resources: [failed] })],
  ];
}

const declared = (
  type: string,
  title: string,
  file: string,
  line: number,
  parameters: Record<string, unknown>,
): unknown => resource(title, { type, file, line, parameters, tags: [type.toLowerCase()] });

import type { MachineState } from './fact-state';
import { decimal } from './json-writer';
import type { Json } from './json-writer';
import type { FleetNode } from './node';
import { word } from './parameter-text';
import { Random } from './random';

export function siteFacts(seed: string, node: FleetNode, state: MachineState): Record<string, Json> {
  const random = Random.of(seed, 'site-facts', node.index);
  return {
    role: node.role.name,
    datacenter: node.site.name,
    site_city: node.site.city,
    rack: node.rack,
    asset_number: 100_000 + node.index,
    cost_centre: `CC-${random.between(1000, 9999)}`,
    owner_team: `${word(random)} ${random.pick(['crew', 'équipe', 'team', 'Mannschaft'])}`,
    is_canary: node.index % 20 === 0,
    service_tier: random.between(1, 4),
    power_factor: decimal(0.8 + random.fraction() * 0.2, 3),
    maintenance_window: {
      day: random.pick(['mon', 'tue', 'wed', 'sun']),
      start: '02:00',
      minutes: random.pick([60, 90, 120]),
      timezone: node.site.timezone,
    },
    patching: {
      group: `wave-${random.between(1, 5)}`,
      blocked: random.chance(0.05),
      blocked_reasons: [],
      package_update_count: state.pendingUpdates,
      security_update_count: Math.floor(state.pendingUpdates / 4),
      pinned: random.sample(['nginx', 'kubelet', 'postgresql-15', 'openjdk-17'], 2),
      reboot: { required: state.pendingUpdates > 50, policy: random.pick(['smart', 'never', 'always']) },
    },
    backup: {
      agent: '13.0.1',
      jobs: Array.from({ length: 2 }, () => ({
        name: `${word(random)}-daily`,
        retention_days: random.pick([14, 30, 90]),
        encrypted: true,
      })),
    },
    certificates: Object.fromEntries(
      [node.certname, `${node.role.name}.${node.domain}`].map((name) => [
        name,
        {
          fingerprint: random.hex(40),
          days_valid: random.between(30, 720),
          issuer: 'Example Internal CA 3',
          self_signed: false,
        },
      ]),
    ),
    containers: {
      engine: 'containerd',
      running: random.between(0, 24),
      images: random.between(2, 60),
      version: '1.7.20',
    },
    listening_ports: Array.from({ length: 5 }, () => random.between(22, 49_000)),
    kernel_modules: random.sample(
      ['br_netfilter', 'overlay', 'nf_conntrack', 'ip_vs', 'dm_multipath', 'tls', 'xt_comment', 'bonding'],
      4,
    ),
    lvm: {
      volume_groups: {
        vg0: {
          size_gib: random.between(100, 2000),
          free_gib: decimal(random.fraction() * 90, 2),
          volumes: random.between(3, 6),
        },
      },
    },
    dns: {
      search: [node.domain, 'example.net'],
      nameservers: [`10.${node.site.network}.0.2`, `10.${node.site.network}.0.3`],
    },
    time_sync: {
      daemon: 'chronyd',
      stratum: random.between(2, 4),
      servers: [`ntp1.${node.site.name}.example.net`, `ntp2.${node.site.name}.example.net`],
    },
    deployments: Object.fromEntries(
      ['alpha', 'beta'].map((ring) => [
        `${word(random)}_${ring}`,
        {
          version: `${random.between(1, 9)}.${random.between(0, 30)}.${random.between(0, 9)}`,
          healthy: random.chance(0.97),
          build: { number: random.between(100, 9000), branch: 'main' },
        },
      ]),
    ),
    process_count: state.processes,
    puppet_metadata: { package_inventory: true, cached_runs: random.between(0, 3) },
  };
}

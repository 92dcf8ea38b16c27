import { humanBytes, percent } from './fact-state';
import type { MachineState, MountState } from './fact-state';
import { decimal } from './json-writer';
import type { Json } from './json-writer';
import type { FleetNode } from './node';
import { Random } from './random';

export function structuredFacts(seed: string, node: FleetNode, state: MachineState): Record<string, Json> {
  const { system, release, hardware } = node;
  const random = Random.of(seed, 'facts', node.index);
  const memory = hardware.memoryMiB * 1024 * 1024;
  const swap = 2 * 1024 ** 3;
  return {
    os: {
      architecture: system.family === 'Debian' ? 'amd64' : 'x86_64',
      distro: {
        codename: system.codename,
        description: `${system.name} ${release.full} (${system.codename})`,
        id: system.distroId,
        release: { full: release.full, major: system.major, minor: release.minor },
      },
      family: system.family,
      hardware: 'x86_64',
      name: system.name,
      release: { full: release.full, major: system.major, minor: release.minor },
      selinux:
        system.family === 'RedHat'
          ? {
              enabled: true,
              enforced: true,
              config_mode: 'enforcing',
              config_policy: 'targeted',
              current_mode: 'enforcing',
              policy_version: '33',
            }
          : { enabled: false },
    },
    networking: networking(node),
    processors: {
      cores: Math.max(1, hardware.cores / 2),
      count: hardware.cores,
      extensions: ['x86_64', 'x86_64-v1', 'x86_64-v2', 'x86_64-v3'],
      isa: 'unknown',
      models: Array.from({ length: hardware.cores }, () => hardware.processor),
      physicalcount: hardware.virtual === 'physical' ? 2 : 1,
      speed: hardware.virtual === 'physical' ? '2.40 GHz' : '2.00 GHz',
      threads: 2,
    },
    memory: {
      swap: usage(swap, state.swapUsed),
      system: usage(memory, state.memoryUsed),
    },
    mountpoints: Object.fromEntries(state.mounts.map((mount) => [mount.path, mountFact(mount)])),
    disks: Object.fromEntries(Array.from({ length: hardware.disks }, (_, i) => [diskName(i), disk(seed, node, i)])),
    partitions: partitions(random, state),
    ssh: Object.fromEntries(
      (['ecdsa', 'ed25519', 'rsa'] as const).map((kind) => [
        kind,
        {
          fingerprints: { sha1: `SSHFP 3 1 ${random.hex(40)}`, sha256: `SSHFP 3 2 ${random.hex(64)}` },
          key: sshKey(seed, node, kind),
          type: kind === 'ecdsa' ? 'ecdsa-sha2-nistp256' : `ssh-${kind}`,
        },
      ]),
    ),
    system_uptime: {
      days: Math.floor(state.uptimeSeconds / 86_400),
      hours: Math.floor(state.uptimeSeconds / 3600),
      seconds: state.uptimeSeconds,
      uptime: uptimeText(state.uptimeSeconds),
    },
    load_averages: {
      '1m': decimal(state.load[0], 2),
      '5m': decimal(state.load[1], 2),
      '15m': decimal(state.load[2], 2),
    },
    dmi: {
      bios: { release_date: '04/01/2024', vendor: hardware.vendor, version: hardware.bios },
      board: {
        manufacturer: hardware.vendor,
        product: hardware.product,
        serial_number: node.machineId.slice(0, 8).toUpperCase(),
      },
      chassis: {
        asset_tag: `A${100_000 + node.index}`,
        type: hardware.virtual === 'physical' ? 'Rack Mount Chassis' : 'Other',
      },
      manufacturer: hardware.vendor,
      product: { name: hardware.product, serial_number: node.machineId.slice(9, 23), uuid: node.machineId },
    },
    identity: { gid: 0, group: 'root', privileged: true, uid: 0, user: 'root' },
    ruby: {
      platform: 'x86_64-linux',
      sitedir: '/opt/puppetlabs/puppet/lib/ruby/site_ruby/3.2.0',
      version: '3.2.5',
    },
    augeas: { version: '1.14.1' },
    hypervisors: hardware.virtual === 'physical' ? {} : { [hardware.virtual]: { vendor: hardware.vendor } },
    cloud: { provider: null },
    dhcp_servers: { system: `10.${node.site.network}.0.2`, eth0: `10.${node.site.network}.0.2` },
    trusted: {
      authenticated: 'remote',
      certname: node.certname,
      domain: node.domain,
      extensions: { pp_role: node.role.name, pp_datacenter: node.site.name, pp_environment: node.environment },
      external: {},
      hostname: node.hostname,
    },
  };
}

export function diskName(index: number): string {
  return `sd${String.fromCharCode(97 + index)}`;
}

export function sshKey(seed: string, node: FleetNode, kind: string): string {
  return `AAAA${Random.of(seed, 'ssh', node.index, kind).base64(kind === 'rsa' ? 368 : kind === 'ecdsa' ? 136 : 64)}`;
}

export function uptimeText(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  if (days > 0) return `${days} day${days === 1 ? '' : 's'}`;
  return `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} hours`;
}

function usage(total: number, used: number): Json {
  return {
    available: humanBytes(total - used),
    available_bytes: total - used,
    capacity: percent(used, total),
    total: humanBytes(total),
    total_bytes: total,
    used: humanBytes(used),
    used_bytes: used,
  };
}

function mountFact(mount: MountState): Json {
  const free = mount.size - mount.used;
  return {
    available: humanBytes(free),
    available_bytes: free,
    capacity: percent(mount.used, mount.size),
    device: mount.device,
    filesystem: mount.filesystem,
    options: mount.options,
    size: humanBytes(mount.size),
    size_bytes: mount.size,
    used: humanBytes(mount.used),
    used_bytes: mount.used,
  };
}

function disk(seed: string, node: FleetNode, index: number): Json {
  const random = Random.of(seed, 'disk', node.index, index);
  const size = random.pick([40, 100, 240, 480, 960]) * 1024 ** 3;
  return {
    model: node.hardware.virtual === 'physical' ? 'PERC H755 Front' : 'Virtual disk',
    serial: random.hex(16),
    size: humanBytes(size),
    size_bytes: size,
    type: random.pick(['ssd', 'hdd']),
    vendor: node.hardware.vendor,
  };
}

function partitions(random: Random, state: MachineState): Json {
  const named = state.mounts.filter((mount) => mount.device.startsWith('/dev/'));
  return Object.fromEntries(
    named.map((mount) => [
      mount.device,
      {
        filesystem: mount.filesystem,
        mount: mount.path,
        size: humanBytes(mount.size),
        size_bytes: mount.size,
        uuid: random.uuid(),
      },
    ]),
  );
}

function networking(node: FleetNode): Json {
  const network = `10.${node.site.network}.0.0`;
  const link = { mac: node.mac, mtu: 1500, operational_state: 'up', physical: true };
  const ip = { ip: node.address, netmask: '255.255.0.0', network };
  const ip6 = {
    ip6: node.address6,
    netmask6: 'ffff:ffff:ffff:ffff::',
    network6: `fd20:${node.site.network.toString(16)}::`,
  };
  return {
    domain: node.domain,
    fqdn: node.certname,
    hostname: node.hostname,
    interfaces: {
      eth0: {
        bindings: [{ address: node.address, netmask: '255.255.0.0', network }],
        bindings6: [
          {
            address: node.address6,
            flags: ['permanent'],
            netmask: ip6.netmask6,
            network: ip6.network6,
            scope6: 'site',
          },
        ],
        dhcp: `10.${node.site.network}.0.2`,
        ...ip,
        ...ip6,
        ...link,
        scope6: 'site',
        speed: 10_000,
        duplex: 'full',
      },
      lo: {
        bindings: [{ address: '127.0.0.1', netmask: '255.0.0.0', network: '127.0.0.0' }],
        ip: '127.0.0.1',
        ip6: '::1',
        mtu: 65_536,
        netmask: '255.0.0.0',
        network: '127.0.0.0',
        operational_state: 'unknown',
        physical: false,
        scope6: 'host',
      },
    },
    ...ip,
    ...ip6,
    mac: node.mac,
    mtu: 1500,
    primary: 'eth0',
    scope6: 'site',
  };
}

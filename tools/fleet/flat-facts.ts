import { humanBytes } from './fact-state';
import type { MachineState } from './fact-state';
import { decimal } from './json-writer';
import type { Json } from './json-writer';
import type { FleetNode } from './node';
import { diskName, sshKey, uptimeText } from './structured-facts';

const MIB = 1024 * 1024;

/**
 * Returns the facts that are not nested. These are settings of the agent, and facts with the names that older agents
 * used.
 */
export function flatFacts(seed: string, node: FleetNode, state: MachineState): Record<string, Json> {
  const { system, release, hardware } = node;
  const memory = hardware.memoryMiB * MIB;
  const swap = 2048 * MIB;
  const network = `10.${node.site.network}.0.0`;
  const kernelVersion = release.kernel.split('-')[0] ?? release.kernel;
  return {
    agent_specified_environment: node.environment === 'production' ? null : node.environment,
    architecture: system.family === 'Debian' ? 'amd64' : 'x86_64',
    augeasversion: '1.14.1',
    bios_release_date: '04/01/2024',
    bios_vendor: hardware.vendor,
    bios_version: hardware.bios,
    blockdevices: Array.from({ length: hardware.disks }, (_, i) => diskName(i)).join(','),
    clientcert: node.certname,
    clientnoop: node.noop,
    clientversion: node.index % 5 === 0 ? '7.34.0' : '8.10.0',
    domain: node.domain,
    facterversion: '4.10.0',
    filesystems: 'ext2,ext3,ext4,squashfs,vfat,xfs',
    fips_enabled: false,
    fqdn: node.certname,
    gid: 'root',
    hardwaremodel: 'x86_64',
    hostname: node.hostname,
    id: 'root',
    interfaces: 'eth0,lo',
    ipaddress: node.address,
    ipaddress6: node.address6,
    ipaddress6_eth0: node.address6,
    ipaddress_eth0: node.address,
    ipaddress_lo: '127.0.0.1',
    is_virtual: hardware.virtual !== 'physical',
    kernel: 'Linux',
    kernelmajversion: kernelVersion.split('.').slice(0, 2).join('.'),
    kernelrelease: release.kernel,
    kernelversion: kernelVersion,
    lsbdistcodename: system.codename,
    lsbdistdescription: `${system.name} ${release.full} (${system.codename})`,
    lsbdistid: system.distroId,
    lsbdistrelease: release.full,
    macaddress: node.mac,
    macaddress_eth0: node.mac,
    manufacturer: hardware.vendor,
    memoryfree: humanBytes(memory - state.memoryUsed),
    memoryfree_mb: decimal((memory - state.memoryUsed) / MIB, 8),
    memorysize: humanBytes(memory),
    memorysize_mb: decimal(hardware.memoryMiB, 1),
    mtu_eth0: 1500,
    mtu_lo: 65_536,
    netmask: '255.255.0.0',
    netmask6: 'ffff:ffff:ffff:ffff::',
    netmask_eth0: '255.255.0.0',
    netmask_lo: '255.0.0.0',
    network: network,
    network6: `fd20:${node.site.network.toString(16)}::`,
    network_eth0: network,
    network_lo: '127.0.0.0',
    operatingsystem: system.name,
    operatingsystemmajrelease: system.major,
    operatingsystemrelease: release.full,
    osfamily: system.family,
    path: '/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    physicalprocessorcount: hardware.virtual === 'physical' ? 2 : 1,
    processor0: hardware.processor,
    processorcount: hardware.cores,
    productname: hardware.product,
    puppetversion: node.index % 5 === 0 ? '7.34.0' : '8.10.0',
    rubysitedir: '/opt/puppetlabs/puppet/lib/ruby/site_ruby/3.2.0',
    rubyversion: '3.2.5',
    scope6: 'site',
    selinux: system.family === 'RedHat',
    serialnumber: node.machineId.slice(9, 23),
    service_provider: 'systemd',
    sshecdsakey: sshKey(seed, node, 'ecdsa'),
    sshed25519key: sshKey(seed, node, 'ed25519'),
    sshrsakey: sshKey(seed, node, 'rsa'),
    swapfree: humanBytes(swap - state.swapUsed),
    swapfree_mb: decimal((swap - state.swapUsed) / MIB, 1),
    swapsize: humanBytes(swap),
    swapsize_mb: decimal(2048, 1),
    timezone: node.site.timezone,
    uptime: uptimeText(state.uptimeSeconds),
    uptime_days: Math.floor(state.uptimeSeconds / 86_400),
    uptime_hours: Math.floor(state.uptimeSeconds / 3600),
    uptime_seconds: state.uptimeSeconds,
    uuid: node.machineId,
    virtual: hardware.virtual,
  };
}

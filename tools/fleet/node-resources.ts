import type { FleetNode } from './node';
import { oddParameters } from './module-resources';
import { configurationText, settingText, word } from './parameter-text';
import { Random } from './random';
import { manifestOf, tagsOf, typeName } from './resource';
import type { FleetParameters, FleetResource } from './resource';

/** Every catalog contains a class with this title. The class contains the resources that only this machine has. */
export const NODE_CLASS = 'profile::machine';

export function nodeResources(seed: string, node: FleetNode): FleetResource[] {
  const random = Random.of(seed, 'node-resources', node.index);
  const made: FleetResource[] = [];
  const add = (type: string, title: string, parameters: FleetParameters, exported = false): void => {
    made.push(nodeResource(type, title, 12 + made.length * 5, parameters, exported));
  };

  add('File', '/etc/hostname', {
    ensure: 'file',
    owner: 'root',
    group: 'root',
    mode: '0644',
    content: `${node.hostname}\n`,
  });
  add('File', '/etc/motd', {
    ensure: 'file',
    mode: '0644',
    content: `${node.certname} (${node.role.name}, ${node.site.city}, rack ${node.rack})\nManaged: local changes are overwritten.\n`,
  });
  add('File', '/etc/hosts', { ensure: 'file', mode: '0644', content: hostsText(random, node) });
  add(
    'Host',
    node.certname,
    { ensure: 'present', ip: node.address, host_aliases: [node.hostname], target: '/etc/hosts' },
    true,
  );
  for (const kind of ['ecdsa-sha2-nistp256', 'ssh-ed25519', 'ssh-rsa']) {
    add(
      'Sshkey',
      `${node.certname}_${kind}`,
      {
        ensure: 'present',
        type: kind,
        key: random.base64(kind === 'ssh-rsa' ? 372 : 68),
        host_aliases: [node.hostname, node.address],
      },
      true,
    );
  }
  for (let i = 0; i < 12; i++) {
    const what = word(random);
    add('File', `/etc/${node.role.name}/instances/${what}-${i}.conf`, {
      ensure: 'file',
      owner: 'root',
      group: node.role.name,
      mode: '0640',
      content: `listen = ${node.address}:${random.between(1024, 60_000)}\nserver_name = ${what}.${node.domain}\n${configurationText(random, random.between(150, 620))}`,
    });
  }
  for (let i = 0; i < 10; i++) {
    add('File', `/etc/ssl/${node.hostname}/${word(random)}-${i}.pem`, {
      ensure: 'file',
      owner: 'root',
      mode: '0600',
      content: `-----BEGIN CERTIFICATE-----\n${random.base64(random.between(300, 620))}\n-----END CERTIFICATE-----\n`,
      show_diff: false,
    });
  }
  for (let i = 0; i < 14; i++) {
    add('Firewall_rule', `${100 + i} ${word(random)} to ${node.hostname}`, {
      ensure: 'present',
      proto: random.pick(['tcp', 'udp']),
      dport: random.between(22, 65_000),
      source: `10.${node.site.network}.${random.between(0, 255)}.0/24`,
      destination: node.address,
      action: 'accept',
      comment: `${word(random)} ${word(random)} traffic, requested in change ${random.between(1000, 99_999)}`,
    });
  }
  for (let i = 0; i < 12; i++) {
    add(
      'Monitoring_check',
      `${node.hostname} ${word(random)} ${i}`,
      {
        ensure: 'present',
        host_name: node.certname,
        check_command: `check_${word(random)}!${settingText(random)}!${random.between(50, 99)}`,
        check_interval: random.pick([30, 60, 300]),
        notification_options: ['warning', 'critical', 'recovery'],
        contact_groups: `${word(random)}-oncall,${node.site.name}-hands`,
        vars: { role: node.role.name, site: node.site.name, rack: node.rack },
      },
      i < 8,
    );
  }
  for (let i = 0; i < 8; i++) {
    add('Cron', `${node.hostname} ${word(random)} ${word(random)} ${i}`, {
      ensure: 'present',
      command: `/usr/local/bin/${word(random)}-job --node ${node.hostname} --window ${settingText(random)} >/var/log/${word(random)}.log 2>&1`,
      user: 'root',
      minute: random.between(0, 59),
      hour: random.between(0, 23),
      environment: [`MAILTO=${word(random)}@${node.domain}`, 'PATH=/usr/local/bin:/usr/bin:/bin'],
    });
  }
  for (let i = 0; i < 14; i++) {
    const login = `${word(random).slice(0, 5)}${random.between(10, 99)}${i}`;
    add('User', login, {
      ensure: 'present',
      uid: 20_000 + random.between(0, 9999),
      gid: 'operators',
      home: `/home/${login}`,
      shell: random.pick(['/bin/bash', '/usr/bin/zsh']),
      comment: `${typeName(word(random))} ${typeName(word(random))}`,
    });
  }
  for (let i = 0; i < 12; i++) {
    add('Exec', `${node.hostname}-${word(random)}-${i}`, {
      command: `/usr/local/sbin/${word(random)}-setup --address ${node.address} --cluster ${node.role.name}.${node.site.name} --token ${random.hex(24)}`,
      creates: `/var/lib/${node.role.name}/.${word(random)}-${random.hex(8)}`,
      path: '/usr/bin:/bin:/usr/sbin:/sbin',
      timeout: 300,
    });
  }
  for (let i = 0; i < 10; i++)
    add('Ini_setting', `${node.hostname} ${word(random)} ${word(random)} ${i}`, oddParameters(random));
  for (let i = 0; i < 2 + node.hardware.disks; i++) {
    add('Mount', `/srv/${word(random)}-${i}`, {
      ensure: 'mounted',
      device: `/dev/disk/by-uuid/${random.uuid()}`,
      fstype: random.pick(['ext4', 'xfs']),
      options: 'defaults,noatime,nodev,nosuid',
    });
  }
  return made;
}

/** `serial` is the number of this addition among all additions to the catalog. */
export function addedResource(seed: string, node: FleetNode, serial: number): FleetResource {
  const random = Random.of(seed, 'added', node.index, serial);
  const type = random.pick(['File', 'Cron', 'Ini_setting', 'Firewall_rule']);
  const what = `${word(random)}-${word(random)}-${serial}`;
  if (type !== 'File')
    return nodeResource(type, `${node.hostname} ${what}`, 300 + (serial % 200), oddParameters(random), false);
  return nodeResource(
    'File',
    `/etc/${node.role.name}/rollout/${what}.conf`,
    300 + (serial % 200),
    { ensure: 'file', mode: '0644', owner: 'root', content: configurationText(random, random.between(200, 700)) },
    false,
  );
}

function nodeResource(
  type: string,
  title: string,
  line: number,
  parameters: FleetParameters,
  exported: boolean,
): FleetResource {
  return {
    type,
    title,
    exported,
    file: manifestOf(NODE_CLASS),
    line,
    tags: tagsOf(type, NODE_CLASS),
    parameters,
    container: typeName(NODE_CLASS),
  };
}

function hostsText(random: Random, node: FleetNode): string {
  const peers = Array.from({ length: 6 }, () => {
    const last = random.between(1, 254);
    return `10.${node.site.network}.0.${last} ${node.role.name}-peer-${last}.${node.domain}`;
  });
  return [
    `127.0.0.1 localhost`,
    `::1 localhost ip6-localhost`,
    `${node.address} ${node.certname} ${node.hostname}`,
    ...peers,
    '',
  ].join('\n');
}

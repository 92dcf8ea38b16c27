import type { Json } from './json-writer';
import { isKnown } from './known-packages';
import type { FleetSystem } from './landscape';
import type { FleetModule } from './modules';
import { commandText, configurationText, parameterName, parameterValue, settingText, word } from './parameter-text';
import { Random } from './random';
import { manifestOf, tagsOf, typeName } from './resource';
import type { FleetParameters, FleetResource } from './resource';
import { wordsIn } from './word-table';

/** The module's main class is the first of `classes`. */
interface ModulePart {
  readonly classes: readonly FleetResource[];
  readonly resources: readonly FleetResource[];
  readonly edges: readonly FleetRelation[];
}

interface FleetRelation {
  readonly source: FleetResource;
  readonly target: FleetResource;
  readonly relationship: 'before' | 'required-by' | 'notifies' | 'subscription-of';
}

const ODD_TYPES = wordsIn(`
  Cron Group Ini_setting File_line Concat_file Concat_fragment Sysctl Kmod Mount Anchor Notify Schedule Tidy Host
  Sshkey Ssh_authorized_key Archive Vcsrepo Augeas Datacat_collector Java_ks X509_request Logical_volume Filesystem
  Volume_group Selboolean Shellvar Service_override Systemd_unit Timer_unit Limits_entry Apt_key Debconf
  Alternative_entry Locale_gen Network_route Udev_rule Tmpfiles_entry`);

/** The resources do not depend on the machine or its role, so that catalogs share them. */
export function moduleResources(seed: string, module: FleetModule, system: FleetSystem): ModulePart {
  const random = Random.of(seed, 'module', module.name, system.name);
  const name = module.name;
  const install = `${name}::install`;
  const config = `${name}::config`;
  const service = `${name}::service`;
  const classes = [
    classResource(name, `profile::${name}`, random, 5),
    classResource(install, name, random, 2),
    classResource(config, name, random, 4),
    ...(random.chance(0.7) ? [classResource(service, name, random, 2)] : []),
  ];
  const serviceClass = classes.length === 4 ? service : name;
  let line = 8;
  const add = (
    type: string,
    title: string,
    container: string,
    parameters: FleetParameters,
    extra: string,
  ): FleetResource => {
    line += random.between(3, 14);
    return {
      type,
      title,
      exported: false,
      file: manifestOf(container),
      line,
      tags: tagsOf(type, container, extra, ...(random.chance(0.3) ? [word(random)] : [])),
      parameters,
      container: typeName(container),
    };
  };

  const packages = module.packages.map((title) =>
    add('Package', title, install, packageParameters(random, system, title), title.toLowerCase()),
  );
  for (let i = random.between(1, 2); i > 0; i--) {
    const title = `${packages[0]?.title}-${random.pick(['plugins', 'doc', 'extras', 'tools', 'dev', 'common'])}${i}`;
    packages.push(add('Package', title, install, packageParameters(random, system, title), title.toLowerCase()));
  }
  const daemon = add('Service', module.service, serviceClass, serviceParameters(random, module.service), 'daemon');
  const helpers = Array.from({ length: random.between(0, 2) }, (_, i) =>
    add(
      'Service',
      `${module.service}-${word(random)}@${i}`,
      serviceClass,
      serviceParameters(random, module.service),
      'daemon',
    ),
  );
  const files = [
    add('File', module.directory, config, directoryParameters(random), 'directory'),
    ...Array.from({ length: random.between(4, 6) }, (_, i) => {
      const title = `${module.directory}/conf.d/${10 * (i + 1)}-${word(random)}-${word(random)}-settings.conf`;
      return add('File', title, config, fileParameters(random, module), 'configuration');
    }),
  ];
  const execs = Array.from({ length: random.between(2, 3) }, (_, i) =>
    add(
      'Exec',
      `${name.replaceAll('_', '-')}-refresh-${word(random)}-${i}`,
      serviceClass,
      execParameters(random, name),
      'refresh',
    ),
  );
  const users = Array.from({ length: random.between(1, 2) }, (_, i) =>
    add(
      'User',
      `${name.replaceAll('_', '-').slice(0, 24)}${i > 0 ? `-${word(random)}` : ''}`,
      install,
      userParameters(random, name),
      'account',
    ),
  );
  const defined = module.defines.flatMap((define) =>
    Array.from({ length: random.between(1, 3) }, (_, i) =>
      add(
        typeName(`${name}::${define}`),
        `${word(random)}-${word(random)}-${word(random)}-${define.replaceAll('_', '-')}-${i}`,
        config,
        oddParameters(random),
        define,
      ),
    ),
  );
  const odd = random
    .sample(ODD_TYPES, random.between(5, 7))
    .map((type) =>
      add(
        type,
        `${name}: ${word(random)} ${word(random)} ${word(random)} ${type.toLowerCase().replaceAll('_', ' ')}`,
        config,
        oddParameters(random),
        word(random),
      ),
    );

  const edges: FleetRelation[] = [];
  const relate = (
    source: FleetResource,
    relationship: FleetRelation['relationship'],
    target: FleetResource | undefined,
  ): void => {
    if (target !== undefined) edges.push({ source, relationship, target });
  };
  relate(packages[0] as FleetResource, 'required-by', files[0]);
  relate(packages[0] as FleetResource, 'before', users[0]);
  for (const file of files.slice(1, 3)) relate(file, 'notifies', daemon);
  if (random.chance(0.3)) relate(daemon, 'subscription-of', files[3]);
  if (random.chance(0.6)) relate(packages[0] as FleetResource, 'required-by', daemon);
  return {
    classes,
    resources: [...packages, daemon, ...helpers, ...files, ...execs, ...users, ...defined, ...odd],
    edges,
  };
}

export function classResource(
  name: string,
  container: string | undefined,
  random: Random,
  most: number,
): FleetResource {
  return {
    type: 'Class',
    title: typeName(name),
    exported: false,
    file: manifestOf(container ?? 'main'),
    line: random.between(2, 90),
    tags: tagsOf('class', name),
    parameters: freeParameters(random, random.between(1, most)),
    container: container === undefined ? undefined : typeName(container),
  };
}

export function oddParameters(random: Random): FleetParameters {
  return {
    ensure: 'present',
    ...freeParameters(random, random.between(3, 6)),
  };
}

function freeParameters(random: Random, count: number): FleetParameters {
  const parameters: Record<string, Json> = {};
  for (let i = 0; i < count; i++) parameters[parameterName(random)] = parameterValue(random);
  return parameters;
}

function packageParameters(random: Random, system: FleetSystem, title: string): FleetParameters {
  return {
    ensure: random.chance(0.5) || isKnown(system, title) ? 'installed' : packageVersion(random, system),
    name: title,
    provider: system.provider,
    install_options: random.chance(0.5)
      ? ['--no-install-recommends', `--target-release=${system.codename}`]
      : [`--setopt=${settingText(random)}`],
  };
}

export function packageVersion(random: Random, system: FleetSystem): string {
  const upstream = `${random.between(0, 20)}.${random.between(0, 40)}.${random.between(0, 20)}`;
  return system.family === 'Debian'
    ? `${upstream}-${random.between(1, 4)}+deb${system.major}u${random.between(1, 5)}`
    : `${upstream}-${random.between(1, 30)}.el9`;
}

function serviceParameters(random: Random, service: string): FleetParameters {
  return {
    ensure: 'running',
    enable: true,
    hasrestart: random.chance(0.5),
    restart: `/usr/bin/systemctl reload-or-restart ${service}.service --job-mode=${random.pick(['replace', 'fail', 'isolate'])}`,
    provider: 'systemd',
  };
}

function directoryParameters(random: Random): FleetParameters {
  return {
    ensure: 'directory',
    owner: 'root',
    group: 'root',
    mode: random.pick(['0755', '0750', '0700']),
    recurse: true,
    purge: random.chance(0.5),
  };
}

function fileParameters(random: Random, module: FleetModule): FleetParameters {
  const common = {
    ensure: 'file',
    owner: 'root',
    group: random.pick(['root', 'adm', 'ssl-cert']),
    mode: random.pick(['0644', '0640', '0600', '0444']),
  };
  if (random.chance(0.25))
    return {
      ...common,
      source: `puppet:///modules/${module.name}/${word(random)}/${word(random)}.conf`,
      checksum: 'sha256',
      backup: false,
    };
  return {
    ...common,
    content: configurationText(random, random.between(400, 1300)),
    notify: `Service[${module.service}]`,
  };
}

function execParameters(random: Random, module: string): FleetParameters {
  return {
    command: commandText(random, module),
    unless: `/usr/bin/test -e /var/lib/${module}/${word(random)}.${random.hex(6)}`,
    refreshonly: random.chance(0.7),
    path: ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'],
    timeout: random.pick([60, 120, 300, 900]),
  };
}

function userParameters(random: Random, module: string): FleetParameters {
  return {
    ensure: 'present',
    uid: random.between(200, 60_000),
    gid: module.slice(0, 16),
    home: `/var/lib/${module}`,
    shell: '/usr/sbin/nologin',
    comment: `Service account of ${module}, owned by the ${word(random)} team`,
  };
}

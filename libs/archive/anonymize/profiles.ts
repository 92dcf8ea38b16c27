/** A profile replaces at least the parts that PuppetDB 7 replaces (docs/archives.md). */
export const anonymizationProfiles = ['none', 'low', 'moderate', 'full'] as const;
export type AnonymizationProfile = (typeof anonymizationProfiles)[number];

/**
 * Each function returns whether to replace a value. Node names, parameter values, catalog inputs and log messages are
 * always replaced.
 */
export interface Rules {
  /**
   * The type is capitalized. Also decides whether to replace tags and names of classes, which have the same form as
   * types.
   */
  readonly type: (type: string) => boolean;
  readonly title: (type: string) => boolean;
  readonly parameterName: boolean;
  readonly factName: (name: string) => boolean;
  readonly factValue: (name: string) => boolean;
  readonly message: (property: string) => boolean;
  readonly file: boolean;
  readonly line: boolean;
  readonly environment: boolean;
  /** Whether to replace other free text and identifiers: versions, ids, packages, and names of events and metrics. */
  readonly rest: boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;

const secretName = /password|pwd|secret|key|private/i;

/** Resource types of the agent and of widely used modules. Their names reveal nothing about a site. */
const usualTypes = new Set(
  (
    'Anchor Augeas Class Computer Cron Exec File File_line Filebucket Filesystem Firewall A2mod Group Host Interface Java_ks ' +
    'K5login Logical_volume Macauthorization Mailalias Mcx Mount Notify Package Physical_volume Resources Router Schedule ' +
    'Schedule_task Selboolean Selmodule Service Ssh_authorized_key Sshkey Stage Tidy User Vcsrepo Vlan Volume_group ' +
    'Yumrepo Zfs Zone Zpool'
  ).split(' '),
);
const usualPrefix = /^(Nagios_|Pe_|Mysql|Postgresql|Rabbitmq|Puppetdb|Apache|Mrepo|F5|Apt|Registry|Concat)/;
const titlesKept = new Set(['Filebucket', 'Package', 'Stage', 'Service']);

/** Names of the agent's own facts, which reveal nothing about a site. */
const usualFact = new RegExp(
  '^(architecture|augeasversion.*|bios_.*|blockdevice.*|board.*|domain|facterversion|fqdn|hardware(isa|model)|hostname|id|' +
    'interfaces|ipaddress.*|ip6?tables.*|is_pe|is_virtual|kernel.*|lsb.*|macaddress.*|macosx.*|memory(free|size).*|memorytotal|' +
    'mtu_.*|netmask.*|network.*|operatingsystem.*|osfamily|path|postgres_.*|processor.*|physicalprocessorcount.*|productname|' +
    'ps|puppetversion|ruby(sitedir|version)|selinux.*|sp_.*|ssh.*|swap(encrypted|free.*|size.*)|timezone|uptime.*|uuid|virtual)$',
);
/** Facts in `usualFact` whose values describe hardware and operating system, not the site. */
const usualValue = new RegExp(
  '^(architecture|augeasversion.*|bios_.*|blockdevice.*|board.*|facterversion|hardware(isa|model)|id|interfaces|ip6?tables.*|' +
    'is_pe|is_virtual|kernel.*|lsb.*|macosx.*|memory.*|mtu_.*|netmask.*|operatingsystem.*|osfamily|postgres_.*|processor.*|' +
    'physicalprocessorcount.*|productname|ps|puppetversion|ruby(sitedir|version)|selinux.*|swap(encrypted|free.*|size.*)|' +
    'timezone|uptime.*|virtual)$',
);

export const rulesOf: Readonly<Record<Exclude<AnonymizationProfile, 'none'>, Rules>> = {
  low: {
    type: never,
    title: never,
    parameterName: false,
    factName: never,
    factValue: (name) => secretName.test(name),
    message: (property) => secretName.test(property),
    file: false,
    line: false,
    environment: false,
    rest: false,
  },
  moderate: {
    type: (type) => !usualTypes.has(type) && !usualPrefix.test(type),
    title: (type) => !titlesKept.has(type),
    parameterName: false,
    factName: (name) => !usualFact.test(name),
    factValue: (name) => secretName.test(name) || !usualValue.test(name),
    message: always,
    file: true,
    line: false,
    environment: true,
    rest: false,
  },
  full: {
    type: always,
    title: always,
    parameterName: true,
    factName: always,
    factValue: always,
    message: always,
    file: true,
    line: true,
    environment: true,
    rest: true,
  },
};

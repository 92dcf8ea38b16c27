import { rowsIn } from './word-table';

export interface FleetSystem {
  readonly name: string;
  readonly family: 'Debian' | 'RedHat';
  readonly distroId: string;
  readonly codename: string;
  readonly major: string;
  readonly provider: 'apt' | 'dnf';
  /** Oldest first. */
  readonly releases: readonly FleetRelease[];
  readonly share: number;
}

/** A machine never changes its release. */
export interface FleetRelease {
  readonly full: string;
  readonly minor: string;
  readonly kernel: string;
  /**
   * Version of openssl that machines with this release get while the fleet runs. Absent if the release gets no updates.
   */
  readonly update?: string;
  readonly share: number;
}

export const SYSTEMS: readonly FleetSystem[] = [
  {
    name: 'Debian',
    family: 'Debian',
    distroId: 'Debian',
    codename: 'bookworm',
    major: '12',
    provider: 'apt',
    releases: [
      { full: '12.5', minor: '5', kernel: '6.1.0-18-amd64', share: 10 },
      { full: '12.11', minor: '11', kernel: '6.1.0-37-amd64', update: '3.0.17-1~deb12u2', share: 35 },
      { full: '12.15', minor: '15', kernel: '6.1.0-50-amd64', update: '3.0.22-1~deb12u2', share: 55 },
    ],
    share: 50,
  },
  {
    name: 'Ubuntu',
    family: 'Debian',
    distroId: 'Ubuntu',
    codename: 'jammy',
    major: '22.04',
    provider: 'apt',
    releases: [
      { full: '22.04', minor: '3', kernel: '5.15.0-94-generic', share: 10 },
      { full: '22.04', minor: '4', kernel: '5.15.0-119-generic', update: '3.0.2-0ubuntu1.18', share: 30 },
      { full: '22.04', minor: '5', kernel: '5.15.0-134-generic', update: '3.0.2-0ubuntu1.19', share: 60 },
    ],
    share: 20,
  },
  {
    name: 'Rocky',
    family: 'RedHat',
    distroId: 'Rocky',
    codename: 'Blue Onyx',
    major: '9',
    provider: 'dnf',
    releases: [
      { full: '9.3', minor: '3', kernel: '5.14.0-362.24.1.el9_3.x86_64', share: 15 },
      { full: '9.4', minor: '4', kernel: '5.14.0-427.33.1.el9_4.x86_64', update: '1:3.0.7-28.el9_4', share: 30 },
      { full: '9.5', minor: '5', kernel: '5.14.0-503.19.1.el9_5.x86_64', update: '1:3.2.2-6.el9_5.1', share: 55 },
    ],
    share: 30,
  },
];

export interface FleetSite {
  readonly name: string;
  readonly city: string;
  readonly timezone: string;
  readonly network: number;
  readonly share: number;
}

export const SITES: readonly FleetSite[] = [
  { name: 'ams1', city: 'Amsterdam', timezone: 'UTC', network: 16, share: 34 },
  { name: 'zrh2', city: 'Zürich', timezone: 'CET', network: 32, share: 24 },
  { name: 'gru1', city: 'São Paulo', timezone: '-03', network: 48, share: 16 },
  { name: 'nrt1', city: '東京', timezone: 'JST', network: 64, share: 14 },
  { name: 'iad3', city: 'Ashburn', timezone: 'EST', network: 80, share: 12 },
];

/** `virtual` is the name of the hypervisor, or `physical`. */
export interface FleetHardware {
  readonly vendor: string;
  readonly product: string;
  readonly bios: string;
  readonly virtual: 'physical' | 'kvm' | 'vmware';
  readonly processor: string;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly disks: number;
  readonly share: number;
}

/** The columns are the members of FleetHardware in their order. */
export const HARDWARE: readonly FleetHardware[] = rowsIn(`
QEMU | Standard PC (Q35 + ICH9, 2009) | 1.16.2-debian-1.16.2-1 | kvm | Intel Xeon Processor (Cascadelake) | 4 | 7962 | 2 | 45
VMware, Inc. | VMware20,1 | VMW201.00V.21805430 | vmware | Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz | 4 | 15990 | 2 | 30
QEMU | Standard PC (i440FX + PIIX, 1996) | rel-1.16.0-0 | kvm | AMD EPYC 7543 Processor | 8 | 32103 | 3 | 15
Dell Inc. | PowerEdge R650 | 1.14.1 | physical | Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz | 16 | 128544 | 5 | 10`).map(
  ([vendor = '', product = '', bios = '', virtual, processor = '', ...figures]) => {
    const [cores = 0, memoryMiB = 0, disks = 0, share = 0] = figures.map(Number);
    return {
      vendor,
      product,
      bios,
      virtual: virtual as FleetHardware['virtual'],
      processor,
      cores,
      memoryMiB,
      disks,
      share,
    };
  },
);

export const ENVIRONMENTS: readonly { readonly name: string; readonly share: number }[] = [
  { name: 'production', share: 84 },
  { name: 'staging', share: 11 },
  { name: 'development', share: 5 },
];

export const COMPILERS = 3;

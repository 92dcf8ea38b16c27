import type { FleetRelease, FleetSystem } from './landscape';

/**
 * Versions that the distributions published for the releases in landscape.ts. A package has one version for each
 * release, oldest first, or one version for all releases.
 */
const DEBIAN = {
  bash: '5.2.15-2+b2 5.2.15-2+b8 5.2.15-2+b13',
  bind9: '1:9.18.24-1 1:9.18.33-1~deb12u2 1:9.18.49-1~deb12u3',
  'ca-certificates': '20230311 20230311+deb12u1 20250419~deb12u2',
  chrony: '4.3-2+deb12u1 4.3-2+deb12u1 4.3-2+deb12u3',
  curl: '7.88.1-10+deb12u5 7.88.1-10+deb12u12 7.88.1-10+deb12u15',
  git: '1:2.39.2-1.1 1:2.39.5-0+deb12u2 1:2.39.5-0+deb12u3',
  haproxy: '2.6.12-1+deb12u1 2.6.12-1+deb12u2 2.6.12-1+deb12u4',
  libc6: '2.36-9+deb12u4 2.36-9+deb12u10 2.36-9+deb12u14',
  'linux-image-amd64': '6.1.76-1 6.1.140-1 6.1.176-1',
  logrotate: '3.21.0-1',
  nftables: '1.0.6-2+deb12u2',
  nginx: '1.22.1-9 1.22.1-9+deb12u2 1.22.1-9+deb12u11',
  'nginx-common': '1.22.1-9 1.22.1-9+deb12u2 1.22.1-9+deb12u11',
  'openssh-client': '1:9.2p1-2+deb12u2 1:9.2p1-2+deb12u6 1:9.2p1-2+deb12u10',
  'openssh-server': '1:9.2p1-2+deb12u2 1:9.2p1-2+deb12u6 1:9.2p1-2+deb12u10',
  openssl: '3.0.11-1~deb12u2 3.0.16-1~deb12u1 3.0.20-1~deb12u2',
  'postgresql-15': '15.6-0+deb12u1 15.13-0+deb12u1 15.20-0+deb12u1',
  postfix: '3.7.10-0+deb12u1 3.7.11-0+deb12u1 3.7.11-0+deb12u1',
  python3: '3.11.2-1+b1',
  rsyslog: '8.2302.0-1 8.2302.0-1 8.2302.0-1+deb12u2',
  sudo: '1.9.13p3-1+deb12u1 1.9.13p3-1+deb12u1 1.9.13p3-1+deb12u4',
  systemd: '252.22-1~deb12u1 252.38-1~deb12u1 252.39-1~deb12u2',
  tzdata: '2024a-0+deb12u1 2025b-0+deb12u1 2026f-0+deb12u1',
} as const;

const UBUNTU = {
  bash: '5.1-6ubuntu1 5.1-6ubuntu1.1 5.1-6ubuntu1.1',
  'ca-certificates': '20230311ubuntu0.22.04.1 20240203~22.04.1 20240203~22.04.1',
  chrony: '4.2-2ubuntu2',
  curl: '7.81.0-1ubuntu1.15 7.81.0-1ubuntu1.18 7.81.0-1ubuntu1.20',
  git: '1:2.34.1-1ubuntu1.10 1:2.34.1-1ubuntu1.11 1:2.34.1-1ubuntu1.12',
  haproxy: '2.4.22-0ubuntu0.22.04.3 2.4.24-0ubuntu0.22.04.1 2.4.24-0ubuntu0.22.04.2',
  libc6: '2.35-0ubuntu3.6 2.35-0ubuntu3.8 2.35-0ubuntu3.9',
  'linux-image-generic': '5.15.0.94.91 5.15.0.119.119 5.15.0.134.133',
  logrotate: '3.19.0-1ubuntu1.1',
  nftables: '1.0.2-1ubuntu3',
  nginx: '1.18.0-6ubuntu14.4 1.18.0-6ubuntu14.5 1.18.0-6ubuntu14.6',
  'nginx-common': '1.18.0-6ubuntu14.4 1.18.0-6ubuntu14.5 1.18.0-6ubuntu14.6',
  'openssh-client': '1:8.9p1-3ubuntu0.6 1:8.9p1-3ubuntu0.10 1:8.9p1-3ubuntu0.11',
  'openssh-server': '1:8.9p1-3ubuntu0.6 1:8.9p1-3ubuntu0.10 1:8.9p1-3ubuntu0.11',
  openssl: '3.0.2-0ubuntu1.14 3.0.2-0ubuntu1.17 3.0.2-0ubuntu1.18',
  postfix: '3.6.4-1ubuntu1.3',
  python3: '3.10.6-1~22.04 3.10.6-1~22.04.1 3.10.6-1~22.04.1',
  rsyslog: '8.2112.0-2ubuntu2.2',
  sudo: '1.9.9-1ubuntu2.4',
  systemd: '249.11-0ubuntu3.12 249.11-0ubuntu3.12 249.11-0ubuntu3.15',
  tzdata: '2023d-0ubuntu0.22.04 2024a-0ubuntu0.22.04.1 2025a-0ubuntu0.22.04',
} as const;

const ROCKY = {
  bash: '5.1.8-6.el9_1 5.1.8-9.el9 5.1.8-9.el9',
  'ca-certificates': '2023.2.60_v7.0.306-90.1.el9_2 2024.2.69_v8.0.303-91.4.el9_4 2024.2.69_v8.0.303-91.4.el9_4',
  chrony: '4.3-1.el9 4.5-1.el9 4.5-3.el9',
  curl: '7.76.1-26.el9_3.3 7.76.1-29.el9_4.1 7.76.1-31.el9',
  git: '2.39.3-1.el9_2 2.43.5-1.el9_4 2.43.5-2.el9_5',
  glibc: '2.34-83.el9_3.12 2.34-100.el9_4.4 2.34-125.el9_5.1',
  haproxy: '2.4.22-1.el9 2.4.22-3.el9_3 2.4.22-3.el9_5.1',
  kernel: '5.14.0-362.24.1.el9_3 5.14.0-427.33.1.el9_4 5.14.0-503.19.1.el9_5',
  logrotate: '3.18.0-8.el9',
  nftables: '1:1.0.4-11.el9_3 1:1.0.9-1.el9 1:1.0.9-3.el9',
  nginx: '1:1.20.1-14.el9_2.1 1:1.20.1-16.el9_4.1 2:1.20.1-20.el9',
  'openssh-server': '8.7p1-34.el9_3.3 8.7p1-38.el9_4.4 8.7p1-43.el9',
  openssl: '1:3.0.7-25.el9_3 1:3.0.7-27.el9 1:3.2.2-6.el9_5',
  postfix: '2:3.5.9-24.el9 2:3.5.25-1.el9 2:3.5.25-1.el9',
  python3: '3.9.18-1.el9_3.1 3.9.18-3.el9_4.5 3.9.21-1.el9_5',
  rsyslog: '8.2102.0-117.el9 8.2310.0-4.el9 8.2310.0-4.el9',
  sudo: '1.9.5p2-9.el9 1.9.5p2-10.el9_3 1.9.5p2-10.el9_3',
  systemd: '252-18.el9 252-32.el9_4.7 252-46.el9_5.2',
  tzdata: '2024a-1.el9 2024b-2.el9 2025a-1.el9',
} as const;

type Versions = ReadonlyMap<string, readonly string[]>;

const KNOWN: ReadonlyMap<string, Versions> = new Map(
  Object.entries({ Debian: DEBIAN, Ubuntu: UBUNTU, Rocky: ROCKY }).map(([system, table]) => [
    system,
    new Map(Object.entries<string>(table).map(([name, versions]) => [name, versions.split(' ')])),
  ]),
);

export const UPDATED_PACKAGE = 'openssl';

export function knownPackages(system: FleetSystem): readonly string[] {
  return [...(KNOWN.get(system.name)?.keys() ?? [])];
}

export function isKnown(system: FleetSystem, name: string): boolean {
  return KNOWN.get(system.name)?.has(name) === true;
}

export function knownVersion(system: FleetSystem, release: FleetRelease, name: string): string | undefined {
  const versions = KNOWN.get(system.name)?.get(name);
  return versions?.[system.releases.indexOf(release)] ?? versions?.[0];
}

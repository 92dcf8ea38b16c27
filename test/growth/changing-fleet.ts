import { ageLimitsOf } from '../support/age-limits';
import { catalog, event, factset, report, resource } from '../support/documents';

/** A command about one node. */
export interface FleetCommand {
  readonly command: string;
  readonly certname: string;
  readonly version?: number;
  readonly payload: unknown;
}

export const fleetNodes = Array.from({ length: 15 }, (_, n) => `node-${n}`);
/** Reports older than this number of runs are purged. */
const runsKept = 4;

const timeOf = (run: number): string => new Date(Date.UTC(2026, 0, 1) + run * 1_800_000).toISOString();
const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const map = (length: number, make: (n: number) => [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(list(length, make));

/**
 * The documents of a fleet in one run. Most of them are unchanged. In each run, the names of some network interfaces
 * and mount points and some parameters (a time, a token) are new, as on machines with containers.
 */
export function* commandsOf(run: number): Generator<FleetCommand> {
  const producer_timestamp = timeOf(run);
  for (const [index, certname] of fleetNodes.entries()) {
    const name = `${index}x${run}`;
    const interfaces = map(4, (n) => [
      `veth${name}x${n}`,
      { mtu: 1500, mac: `02:00:00:00:00:0${n}`, ip6: 'fe80::1', operational_state: 'up' },
    ]);
    const mounts = map(4, (n) => [
      `/run/containers/${name}/${n}`,
      { device: 'overlay', filesystem: 'overlay', options: ['rw', 'relatime'], size_bytes: 1_000_000 },
    ]);
    yield {
      command: 'replace facts',
      certname,
      payload: factset(
        certname,
        {
          networking: { hostname: certname, interfaces: { eth0: { mtu: 1500 }, ...interfaces } },
          mountpoints: { '/': { device: '/dev/sda1' }, ...mounts },
          uptime: { seconds: run * 1800 },
          ...map(40, (n) => [`static_${n}`, { vendor: `vendor ${n}`, settings: { enabled: true, index: n } }]),
        },
        { producer_timestamp },
      ),
    };
    const changing = list(8, (n) =>
      resource(`/etc/changing/${n}`, { parameters: { token: `${name}-${n}`, ensure: 'file' } }),
    );
    const steady = list(120, (n) =>
      resource(`/etc/steady/${n}`, { parameters: { ensure: 'file', mode: `${n}`, content: 'x'.repeat(200) } }),
    );
    yield {
      command: 'replace catalog',
      certname,
      payload: catalog(certname, [...steady, ...changing], [], { producer_timestamp, version: String(run) }),
    };
    yield {
      command: 'store report',
      certname,
      payload: report(
        certname,
        list(8, (n) => event(`p${n}`, { new_value: `${name}-${n}` })),
        { producer_timestamp, end_time: producer_timestamp, configuration_version: String(run) },
      ),
    };
    if (run > runsKept) {
      yield { certname, ...ageLimitsOf(certname, { reportsBefore: timeOf(run - runsKept + 1) }) };
    }
  }
}

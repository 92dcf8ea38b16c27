/**
 * The commands of a site with some machines: documents of the simulated fleet, and a machine for each special case of
 * the dashboards. All times are fixed, so the same commands give the same pages on any day.
 */
import { Fleet } from '#fleet';
import { catalog, edge, event, factset, report, resource } from '../../support/documents';

export interface SiteCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly body: string;
}

type Fields = Record<string, unknown>;

const at = (minute: number, second = 0): string => new Date(Date.UTC(2026, 2, 2, 12, minute, second)).toISOString();

export function siteCommands(): SiteCommand[] {
  return [...fleetCommands(), ...ownCommands()];
}

/** The first of these machines has a failed and an unchanged run. The second one has a noop run. */
const fleetRuns: readonly (readonly [index: number, run: number])[] = [
  [0, 0],
  [0, 1],
  [1, 0],
];

function fleetCommands(): SiteCommand[] {
  const fleet = new Fleet('dashboards');
  const startTime = new Date(at(-600));
  return fleetRuns.flatMap(([index, run]) => {
    const { facts, catalog, report } = fleet.run(index, run, { startTime });
    return [facts, catalog, report].map(({ command, version, certname, text: body }) => ({
      ...{ command, version, certname, body },
    }));
  });
}

const facts = (certname: string, values: Fields, over: Fields = {}): SiteCommand =>
  made('replace facts', 5, certname, factset(certname, values, { producer_timestamp: at(0), ...over }));
const compiled = (certname: string, resources: Fields[], edges: Fields[] = [], over: Fields = {}): SiteCommand =>
  made('replace catalog', 9, certname, catalog(certname, resources, edges, { producer_timestamp: at(1), ...over }));
const ran = (certname: string, over: Fields, events: Fields[] = []): SiteCommand => {
  const times = { start_time: at(1, 30), end_time: at(2), producer_timestamp: at(2, 1) };
  return made('store report', 8, certname, report(certname, events, { ...times, metrics, ...over }));
};
const made = (command: string, version: number, certname: string, payload: unknown): SiteCommand => ({
  ...{ command, version, certname },
  body: JSON.stringify(payload),
});

const metrics = [
  { category: 'resources', name: 'total', value: 12 },
  { category: 'resources', name: 'skipped', value: 1 },
  { category: 'events', name: 'failure', value: 1 },
  { category: 'events', name: 'success', value: 2 },
  { category: 'time', name: 'total', value: 1.2345 },
];

const log = (level: string, message: string, over: Fields = {}): Fields => ({
  ...{ level, message, source: 'Puppet', tags: [level, 'class'], time: at(1, 45), file: null, line: null },
  ...over,
});

const file = (title: string): Fields => resource(title, { tags: ['file', 'class', 'ntp'] });
const ntp = { type: 'Class', title: 'Ntp', exported: false, file: null, line: null, tags: ['ntp'], parameters: {} };
const system = (name: string): Fields => ({
  kernel: 'Linux',
  kernelrelease: '6.1.0-25-amd64',
  osfamily: 'Debian',
  puppetversion: '7.23.0',
  trusted: {
    certname: name,
    hostname: name.split('.')[0],
    domain: 'board.test',
    authenticated: 'remote',
    extensions: {},
  },
  networking: { ip: '10.0.0.7', interfaces: { eth0: { ip: '10.0.0.7' }, lo: { ip: '127.0.0.1' } } },
  os: { name: 'Debian', family: 'Debian', architecture: 'amd64', distro: { description: 'Debian GNU/Linux 12' } },
});

/** A catalog with two files in a class. */
const smallCatalog = (certname: string, over: Fields = {}): SiteCommand =>
  compiled(certname, [ntp, file('/etc/ntp.conf'), file('/etc/drift')], [edge('/etc/ntp.conf', '/etc/drift')], over);

const server500 =
  'Could not retrieve catalog from remote server: Error 500 on SERVER: Server Error: Evaluation Error: Error while ' +
  'evaluating a Function Call, no <ntp> here (file: /etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp, ' +
  'line: 7, column: 3) on node failed.board.test';

const spaced = '/with space & "quotes"';
const wide = 'C:\\Größe\\€';

function ownCommands(): SiteCommand[] {
  const failed = 'failed.board.test';
  const noop = 'noop.board.test';
  const kinds = 'kinds.board.test';
  const idle = 'idle.board.test';
  const gone = 'gone.board.test';
  const tests = { environment: 'tests' };
  return [
    facts(failed, { ...system(failed), role: 'ntp' }),
    smallCatalog(failed),
    ran(failed, { status: 'unchanged', configuration_version: 'first', ...earlier }),
    ran(
      failed,
      {
        status: 'failed',
        configuration_version: '*a* [link](http://example.test/) <b>&amp;',
        logs: [
          log('info', 'Using environment'),
          log('err', server500, { file: '/etc/puppetlabs/code/environments/production/site.pp', line: 3 }),
          log('warning', 'Größe:\n\t"zwei" \\ Zeilen €', { source: '/Stage[main]/Ntp/File[/a]' }),
        ],
      },
      [
        event('ensure', { status: 'failure', old_value: 'absent', new_value: 'file', message: 'it "fails" <b>' }),
        event('mode', { status: 'skipped', old_value: null, new_value: null }),
        event('owner', { status: 'success', old_value: ['a', 1], new_value: { b: null } }),
      ],
    ),
    facts(noop, { ...system(noop), role: 'db', kernel: 'FreeBSD' }, tests),
    smallCatalog(noop, tests),
    ran(noop, { status: 'unchanged', noop: true, noop_pending: true, ...tests }, [event('ensure', { status: 'noop' })]),
    facts(kinds, { ...system(kinds), ...factsOfAllKinds }),
    compiled(kinds, [ntp, file(spaced), file(wide)], [edge(wide, spaced)]),
    ran(kinds, { status: 'changed', configuration_version: '1.2.3-Ä' }, [event('content')]),
    // Three machines: one with a catalog and no report, one with facts of another environment only, one with a report
    // only.
    facts(idle, system(idle)),
    smallCatalog(idle),
    facts('facts.board.test', { kernel: 'Darwin', only_here: true }, { environment: 'feature_x' }),
    ran('report.board.test', { status: 'unchanged', logs: [], metrics: [], ...tests }),
    facts(gone, system(gone)),
    smallCatalog(gone),
    ran(gone, { status: 'changed' }, [event('ensure')]),
    made('deactivate node', 3, gone, { certname: gone, producer_timestamp: at(30) }),
  ];
}

const earlier = { start_time: at(-58), end_time: at(-57), producer_timestamp: at(-57, 1) };

const factsOfAllKinds = {
  kind_text: 'plain',
  kind_empty: '',
  kind_number_text: '42',
  kind_markup: '<script>alert("x")</script> & \'quotes\' \\ %2F ?a=b#c',
  kind_unicode: 'Zürich 東京 \u{1f427}',
  kind_lines: 'one\ntwo\tthree',
  kind_slashes: '/usr/local/bin:/usr/bin',
  kind_integer: 42,
  kind_negative: -7,
  kind_large: 9007199254740991,
  kind_decimal: 1.25,
  kind_small: 1e-7,
  kind_true: true,
  kind_false: false,
  kind_null: null,
  kind_list: [1, 'two', null, { three: [3] }],
  kind_empty_list: [],
  kind_empty_map: {},
  kind_map: { z: 1, a: { deep: { deeper: ['x'] } }, 'a.dot': true, 'a/slash': 2, Ümlaut: 'ä' },
};

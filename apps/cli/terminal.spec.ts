/** Tests the output of verbs on a terminal that is 60 characters wide, with and without colors. */
import { readSettings } from '#config';
import { configLines } from './config';
import { diffText } from './diff';
import { doctorText } from './doctor';
import { driftText } from './drift';
import { whyText } from './nodes/why-failed';
import { rowWriters } from './query/row-format';
import { reportText } from './report';
import { statusText } from './status';
import { timelineText } from './timeline';

const terminal = process.stdout as { isTTY: boolean; hasColors?: () => boolean };
const before = { ...terminal, isTTY: terminal.isTTY, hasColors: terminal.hasColors };
const colors = (shown: boolean): void => void Object.assign(terminal, { isTTY: true, hasColors: () => shown });
beforeEach(() => colors(false));
afterAll(() => Object.assign(terminal, before));

const width = 60;
/** Replaces each escape sequence for a color by the color's name. */
const readable = (text: string): string =>
  text.replaceAll(/\u001b\[(\d+)m/g, (_, code: string) => `<${names[code] ?? code}>`);
const names: Readonly<Record<string, string>> = {
  1: 'bold',
  22: '/bold',
  31: 'red',
  33: 'yellow',
  32: 'green',
  39: '/',
};

async function table(rows: readonly object[], most = width): Promise<string> {
  async function* texts(): AsyncGenerator<string> {
    for (const row of rows) yield JSON.stringify(row);
  }
  let text = '';
  for await (const part of rowWriters.table(texts(), { width: most })) text += part;
  return text;
}

const nodes = [
  { certname: 'web1.test', latest_report_status: 'failed' },
  { certname: 'web2.test', latest_report_status: 'changed' },
  { certname: 'web3.test', latest_report_status: 'unchanged' },
];

test('a table of nodes, with colors', async () => {
  colors(true);
  expect(readable(await table(nodes))).toMatchInlineSnapshot(`
   "<bold>certname </bold>  <bold>latest_report_status</bold>
   web1.test  <red>failed</>
   web2.test  <yellow>changed</>
   web3.test  unchanged
   3 rows
   "
  `);
});

test('values never bring colors to a table', async () => {
  colors(true);
  expect(await table([{ status: '\u001b[31mfailed' }])).not.toContain('\u001b[31m');
});

test('a table without colors cuts long values and says how to see them; --wide shows them whole', async () => {
  const facts = [{ name: 'ssh', value: 'x'.repeat(100) }];
  expect(await table(facts)).toMatchInlineSnapshot(`
   "name  value
   ssh   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
   1 row (values with … are cut; --wide shows them whole)
   "
  `);
  expect(await table(facts, Infinity)).toBe(`name  value\nssh   ${'x'.repeat(100)}\n1 row\n`);
});

test('settings are broken between words', () => {
  const { origins } = readSettings(['--checksum', 'refuse'], {});
  const changed = origins.filter(({ from }) => from !== 'default');
  expect(configLines(changed, width)).toMatchInlineSnapshot(`
   "NODELEDGER_CHECKSUM  refuse  (--checksum)
       action if the checksum of a command is wrong; warn:
       accept the command, and log a warning at most once a
       minute; refuse: answer 400; ignore: do not check
       checksums
   "
  `);
});

test('a report, with colors', () => {
  colors(true);
  const resource = { resource_type: 'File', property: 'mode', message: 'no', file: '/a.pp', line: 3 };
  const text = reportText({
    certname: 'web1.test',
    status: 'failed',
    environment: 'production',
    start_time: '2026-01-31T12:00:00.000Z',
    end_time: '2026-01-31T12:00:12.500Z',
    configuration_version: 'abc',
    noop: false,
    resource_events: { data: [{ ...resource, status: 'failure', resource_title: '/etc/x' }] },
    logs: { data: [{ level: 'err', message: 'disk full', source: 'Puppet', file: null, line: null }] },
  });
  expect(readable(text)).toMatchInlineSnapshot(`
   "node           web1.test
   status         <red>failed</>
   environment    production
   started        2026-01-31T12:00:00.000Z, 12.5 s long
   configuration  abc

   events
     <red>failure </> File[/etc/x]/mode: no (/a.pp:3)

   warnings and errors
     <red>err     </> Puppet: disk full
   "
  `);
});

test('the reasons of failed nodes', () => {
  const node = { report_timestamp: '2026-01-31T12:00:00.000Z', report_environment: 'production' };
  const reason = { source: 'File[/etc/motd]/content', message: 'could not write', file: '/site.pp', line: 3 };
  const text = whyText(
    [
      { ...node, certname: 'web1.test', reasons: [reason], more: 12 },
      { ...node, certname: 'web2.test', reasons: [], more: 0 },
    ],
    2,
  );
  expect(text).toMatchInlineSnapshot(`
   "web1.test  2026-01-31T12:00:00.000Z  production
     File[/etc/motd]/content: could not write (/site.pp:3)
     and 12 more; see nodeledger report web1.test

   web2.test  2026-01-31T12:00:00.000Z  production
     The report has neither a failed resource nor an error in its log.
   2 nodes (there may be more: --limit 4)
   "
  `);
});

test('the status and the findings of doctor, with colors', () => {
  colors(true);
  const status = { 'read_db_up?': true, 'write_db_up?': true, 'rejecting_commands?': false, queue_depth: 0 };
  const alerts = [{ severity: 'warning', message: 'the disk is nearly full' }];
  const text = statusText({ service_version: '8.4.1', state: 'running', status, active_alerts: alerts }, 'http://x');
  expect(readable(text)).toMatchInlineSnapshot(`
   "service          http://x
   version          8.4.1
   state            <green>running</>
   waiting          0 commands not yet shown by queries
   reads database   yes
   writes database  yes
   takes commands   yes
   <yellow>warning</>: the disk is nearly full
   "
  `);
  const findings = [
    { check: 'log', level: 'ok', text: 'The log can be read.' },
    { check: 'disk', level: 'error', text: 'The disk is full.', remedy: 'Free disk space.' },
  ] as const;
  expect(readable(doctorText(findings))).toMatchInlineSnapshot(`
   "<green>ok     </>  log: The log can be read.
   <red>ERROR  </>  disk: The disk is full.
            Free disk space.
   "
  `);
});

test('a difference, with colors', () => {
  colors(true);
  const text = `--- web1 as of 2026-11-19T10:00:00.000Z
+++ web1 now

facts
~ os.release.full: "12.6" → "12.7"
+ role: "web"

resources
~ File[/etc/motd]
    - parameters.mode: "0644"

no difference in edges, packages
`;
  expect(readable(diffText(text))).toMatchInlineSnapshot(`
   "<bold>--- web1 as of 2026-11-19T10:00:00.000Z</bold>
   <bold>+++ web1 now</bold>

   facts
   <yellow>~ os.release.full: "12.6" → "12.7"</>
   <green>+ role: "web"</>

   resources
   <yellow>~ File[/etc/motd]</>
   <red>    - parameters.mode: "0644"</>

   no difference in edges, packages
   "
  `);
  colors(false);
  expect(diffText(text)).toBe(text);
  expect(diffText('+ a\u001b[31m\n')).not.toContain('\u001b');
});

const entry = {
  certname: 'web1.test',
  received_at: '2026-11-20T09:14:05.377Z',
  environment: 'production',
  status: null,
  seen_until: '2026-11-20T09:14:05.377Z',
  ...{ seen_count: 1, added: 0, changed: 0, removed: 0, changes: [], changes_left_out: 0 },
};

test('a timeline, with colors', () => {
  colors(true);
  const text = timelineText({
    next: '[1]',
    entries: [
      {
        ...entry,
        kind: 'report',
        status: 'failed',
        changed: 1,
        changes: [
          { part: 'status', change: 'changed', old: 'changed', new: 'failed' },
          {
            part: 'events',
            status: 'failure',
            ...{ resource_type: 'File', resource_title: '/a', property: 'mode', message: 'no\u001b[31m space' },
          },
        ],
      },
      {
        ...entry,
        kind: 'catalog',
        ...{ added: 1, changed: 1, seen_count: 4, seen_until: '2026-11-20T10:44:05.991Z', changes_left_out: 7 },
        changes: [
          {
            part: 'resources',
            change: 'changed',
            type: 'File',
            title: '/etc/motd',
            changes: [{ part: '', change: 'changed', path: ['parameters', 'mode'], old: '0644', new: '0600' }],
          },
          { part: 'resources', change: 'added', type: 'Service', title: 'nginx', new: {} },
          {
            part: 'edges',
            change: 'removed',
            relationship: 'before',
            ...{ source_type: 'File', source_title: '/a', target_type: 'File', target_title: '/b' },
          },
        ],
      },
      {
        ...entry,
        kind: 'packages',
        changed: 1,
        changes: [
          { part: 'packages', change: 'changed', name: 'openssl', provider: 'apt', old: ['3.0.7'], new: ['3.0.9'] },
        ],
      },
      { ...entry, kind: 'deactivated' },
    ],
  });
  expect(readable(text)).toMatchInlineSnapshot(`
   "<bold>2026-11-20T09:14:05.377Z  web1.test  report</bold>  <red>failed</>
   <yellow>    ~ status: "changed" → "failed"</>
       <red>failure</> File[/a]/mode: no [31m space

   <bold>2026-11-20T09:14:05.377Z  web1.test  catalog</bold>  1 added, 1 changed, seen 4 times until 2026-11-20T10:44:05.991Z
   <yellow>    ~ File[/etc/motd]</>
   <yellow>        ~ parameters.mode: "0644" → "0600"</>
   <green>    + Service[nginx]</>
   <red>    - File[/a] before File[/b]</>
       … and 7 more

   <bold>2026-11-20T09:14:05.377Z  web1.test  packages</bold>  1 changed
   <yellow>    ~ openssl (apt): 3.0.7 → 3.0.9</>

   <bold>2026-11-20T09:14:05.377Z  web1.test  deactivated</bold>

   earlier entries: --after '[1]'
   "
  `);
  expect(timelineText({ entries: [], next: null })).toBe('no changes\n');
});

test('drift, without colors', () => {
  const nodesOf = (...certnames: string[]) => ({ nodes: certnames.length, certnames });
  expect(
    driftText({
      by: 'role',
      groups: [
        {
          value: 'web',
          nodes: 25,
          facts: {
            equal: 61,
            differing: [
              {
                path: ['os', 'release'],
                ...{ value: '12.7', nodes: 23, others: [{ value: '12.6', ...nodesOf('web3') }], others_left_out: 2 },
                missing: { nodes: 3, certnames: ['web4', 'web5'] },
              },
            ],

            left_out: 4,
          },
          resources: {
            equal: 210,
            differing: [
              {
                ...{ type: 'File', title: '/etc/motd', value: {}, nodes: 24, others_left_out: 0, missing: null },
                others: [{ changes: [{ path: ['mode'], old: '0644', new: '0600' }], ...nodesOf('web6') }],
              },
            ],

            left_out: 0,
          },
          packages: {
            equal: 318,
            differing: [
              {
                ...{ name: 'nmap', provider: 'apt', nodes: 24, others_left_out: 0, missing: null },
                others: [{ value: '7.93', ...nodesOf('web6') }],
              },
            ],

            left_out: 0,
          },
        },
      ],

      groups_left_out: 2,
      left_out: { volatile: ['uptime'], facts: { count: 14 }, resources: { count: 0 } },
    }),
  ).toMatchInlineSnapshot(`
   "role = "web", 25 nodes
     facts: 61 equal on all nodes
       os.release: "12.7" on 23
         ~ "12.6": web3
         … and 2 other values
         - absent: web4, web5 and 1 more
       … and 4 more
     resources: 210 equal on all nodes
       File[/etc/motd]: equal on 24
         ~ mode "0644" → "0600": web6
     packages: 318 equal on all nodes
       nmap (apt): absent on 24
         + "7.93": web6

   not compared: 2 groups that are too small; volatile facts (uptime); 14 facts with a value of their own on most nodes
   "
  `);
});

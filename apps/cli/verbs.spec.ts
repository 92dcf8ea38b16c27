import { auditCommand, auditTable } from './audit';
import { backupLines } from './backup';
import { migrateCommand } from './migrate';
import { migrateLines } from './migrate/copy-server';
import { restoreLines } from './restore';
import { deadLettersCommand } from './dead-letters';
import { nodesQuery } from './nodes';
import { rebuildCommand, rebuildLines } from './rebuild';
import { reportText } from './report';
import { snapshotCommand, snapshotLines } from './snapshot';
import { statusText } from './status';
import { commandOf } from './submit';
import { tokenCommand, tokenTable } from './token';
import { verdictLines, verifyCommand } from './verify';
import { copyLines } from './log/copy';
import { logCommand } from './log';
import { planLines } from './maintenance/snapshot-plan';

const quiet = { writeErr: () => undefined, writeOut: () => undefined };
const comparison = { differences: [], counted: 0, rows: 5000 };
const rebuilt = { generation: 2, schema: 'gen_2', records: 3000, seconds: 2, switched: true, comparison };

describe('what cannot be asked together is refused before anything is opened', () => {
  it.each([
    ['--resume', '--restart'],
    ['--dry-run', '--resume'],
    ['--rollback', '--dry-run'],
    ['--rollback', '--drop-previous'],
    ['--to-position', '0-1', '--accept-differences'],
    ['--to-position', '0-1', '--drop-previous'],
  ])('rebuild %s %s %s', async (...flags) => {
    const command = rebuildCommand().exitOverride().configureOutput(quiet);
    await expect(command.parseAsync(flags, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.conflictingOption',
    });
  });

  it.each([
    ['retry', '3-17', '--all'],
    ['purge', '3-17', '--all'],
    ['purge', '3-17', '--certname', 'web1'],
  ])('dead-letters %s %s %s', async (...flags) => {
    await expect(deadLettersCommand().parseAsync(flags, { from: 'user' })).rejects.toThrow(
      'give either names or filters, not both',
    );
  });
});

it.each([
  [rebuildCommand, ['--to-position', '0:1']],
  [snapshotCommand, ['--history', 'a week']],
  [verifyCommand, ['--most', 'all']],
  [tokenCommand, ['create', 'a', '--role', 'querry']],
  [tokenCommand, ['create', 'a', '--role', 'submit-own']],
  [tokenCommand, ['create', 'a', '--role', 'query', '--expires', '0']],
  [auditCommand, ['--limit', 'all']],
  [auditCommand, ['--before', 'yesterday']],
  [migrateCommand, ['--from', 'http://a', '--concurrency', '0']],
  [logCommand, ['copy', '--to-topic', 'a', '--partitions', 'many']],
  [logCommand, ['copy', '--to-topic', 'a', '--to-brokers', 'k1']],
])('a value that cannot be read is refused: %p %j', async (make, flags) => {
  const command = make().exitOverride().configureOutput(quiet);
  for (const sub of command.commands) sub.exitOverride().configureOutput(quiet);
  await expect(command.parseAsync(flags, { from: 'user' })).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  });
});

it('flags that are no settings of the service are refused by name', async () => {
  await expect(verifyCommand().parseAsync(['--dat-dir', 'x'], { from: 'user' })).rejects.toMatchObject({
    code: 'config.refused',
    message: expect.stringMatching(/--dat-dir=x .*Did you mean --data-dir/) as string,
  });
});

describe('summaries', () => {
  test('of a rebuild', () => {
    expect(rebuildLines(rebuilt, {})).toBe(
      '3,000 records in 2.0 s (1,500/s) replayed into gen_2\n' +
        '5,000 rows compared with the live tables, no differences\n' +
        'gen_2 is live. The previous tables are kept for `nodeledger rebuild --rollback` until the next rebuild.\n',
    );
    const row = { table: 'nodes', certname: 'a.test', live: '{"x":1}', replayed: '{"x":2}' };
    const differing = { differences: [row], counted: 3, rows: 5000 };
    expect(rebuildLines({ ...rebuilt, switched: false, comparison: differing }, { dryRun: true })).toBe(
      '3,000 records in 2.0 s (1,500/s) replayed into gen_2\n' +
        'nodes of a.test: differs\n    x: live 1, log 2\nand 2 more rows\n3 rows of 5,000 differ\nNothing was changed.\n',
    );
  });

  test('of a verification', () => {
    expect(verdictLines({ ...comparison, records: 10, seconds: 1 })).toBe(
      '10 records in 1.0 s (10/s) replayed, 5,000 rows compared\nthe read tables agree with the log\n',
    );
    const row = { table: 'nodes', certname: null, live: '{"x":1}', replayed: null };
    expect(verdictLines({ differences: [row], counted: 1, rows: 5, records: 10, seconds: 1 })).toMatch(
      /^nodes: only in the live tables\n {4}x: 1\n10 records .*\n1 row differs; .*--accept-differences/,
    );
  });

  test('of a snapshot and of what it will do', () => {
    const moves = new Map([
      [0, { from: 1, to: 1 }],
      [3, { from: 10, to: 45 }],
      [7, { from: 1, to: 8 }],
    ]);
    expect(planLines({ moves, records: 42 }, '30d')).toMatch(
      /^This removes from the log records older than 30d: up to 42 records, those before 3-45, 7-8\.\n/,
    );
    expect(planLines({ moves: new Map([[0, { from: 1, to: 1 }]]), records: 0 }, '0')).toBe('');
    const outcome = { nothingToDo: false, kept: 1200, removed: 3400, seconds: 0.5, tails: new Map() };
    expect(snapshotLines(outcome)).toBe('3,400 records removed, 1,200 records kept in the snapshot, in 500 ms\n');
  });

  test('of a backup and a restore', () => {
    const manifest = { begun: '2026-01-31T12:00:00.000Z', settings: { NODELEDGER_NODE_TTL: '3d\u001b[2J' } } as never;
    const backup = { manifest, records: 1200, written: 1, bytes: 2_500_000, bytesWritten: 1_000, seconds: 2 };
    expect(backupLines('/b', backup)).toBe(
      '/b holds 1,200 records of the log (2.5 MB); 1 record (1 kB) written in 2.0 s\n',
    );
    expect(restoreLines({ manifest, records: 10, seconds: 1 })).toBe(
      'Restored 10 records in 1.0 s (10/s), as of 2026-01-31T12:00:00.000Z. You can start the service.\n' +
        'The backed-up service used these settings. Set them again:\n  NODELEDGER_NODE_TTL=3d [2J\n',
    );
  });

  test('of a migration', () => {
    const failure = { certname: 'a\u001b[2J', document: 'facts', problem: '413: too large' };
    const copied = { nodes: 2, present: 1, failures: [failure], expired: 1, submitted: 3, seconds: 2 };
    const counts = [
      { entity: 'nodes', source: 2, target: 2 },
      { entity: 'reports', source: 1500, target: 1499 },
    ] as const;
    const comparison = { counts, nodes: 2, documents: 9, differences: ['facts of b: only at the source'] };
    const text = migrateLines({ copied, comparison, equal: false });
    expect(text).toContain('2 nodes read, 3 commands submitted, 1 document already present, in 2.0 s\n');
    expect(text).toContain('  not copied: facts of a [2J: 413: too large\n');
    expect(text).toMatch(/\nreports +1,500 +1,499 +-1\n/);
    expect(text).toMatch(
      /9 documents of 2 nodes compared: 1 differ\n {2}facts of b: only at the source\nThe two sides differ/,
    );
  });

  test('of a copy', () => {
    const target = { brokers: ['k1:9092', 'k2:9092'], topic: 'other', partitions: 4 };
    expect(copyLines({ records: 1, seconds: 1 }, target)).toMatch(
      /\n {2}KAFKA_BROKERS=k1:9092,k2:9092\n {2}NODELEDGER_LOG_TOPIC=other\n/,
    );
  });
});

it('lists of tokens and of the audit log are columns, without control characters of clients', () => {
  const at = new Date('2026-01-31T12:00:00Z');
  const dates = { created: at, expires: null, revoked: null, lastUsed: at };
  expect(tokenTable([])).toBe('no tokens\n');
  expect(tokenTable([{ name: 'dash', roles: ['query', 'metrics'], ...dates }])).toBe(
    'NAME  STATE  ROLES          CREATED                   EXPIRES  LAST USED\n' +
      'dash  valid  query metrics  2026-01-31T12:00:00.000Z  never    2026-01-31T12:00:00.000Z\n',
  );
  expect(tokenTable([{ name: 'old', roles: ['query'], ...dates, expires: at }])).toMatch(/old +expired/);
  const entry = {
    at,
    actor: 'token dash',
    address: null,
    action: 'delete node',
    subject: 'a\u001b[2Jb',
    outcome: null,
  };
  expect(auditTable([])).toBe('no entries\n');
  expect(auditTable([entry])).toBe(
    'TIME                      WHO         FROM          WHAT                OUTCOME\n' +
      '2026-01-31T12:00:00.000Z  token dash  command line  delete node a [2Jb  not finished\n',
  );
});

test('the status shows the version of the program, and the version that is reported to clients if it differs', () => {
  const status = {
    service_version: '8.4.1',
    state: 'running',
    status: { 'read_db_up?': true, 'write_db_up?': true, 'rejecting_commands?': false, queue_depth: 0 },
    active_alerts: [],
  };
  const versionIn = (text: string): string | undefined => /^version +(.*)$/m.exec(text)?.[1];
  expect(versionIn(statusText({ ...status, nodeledger_version: '0.2.0' }, 'u'))).toBe(
    '0.2.0 (reported to clients: 8.4.1)',
  );
  expect(versionIn(statusText({ ...status, nodeledger_version: '8.4.1' }, 'u'))).toBe('8.4.1');
  expect(versionIn(statusText(status, 'u'))).toBe('8.4.1');
});

test('a report for people has its events, and of its log lines those that matter', () => {
  const event = { resource_type: 'File\u001b[1m', property: 'mode', message: 'no', file: '/a.pp', line: 3 };
  const log = { source: 'Puppet', file: null, line: null };
  const text = reportText({
    certname: 'web1.test',
    status: 'failed\u001b[1m',
    environment: 'production',
    start_time: '2026-01-31T12:00:00.000Z',
    end_time: '2026-01-31T12:00:12.500Z',
    configuration_version: 'abc',
    noop: true,
    resource_events: {
      data: [
        { ...event, status: 'failure\n', resource_title: '/etc/x\u001b[2J' },
        { ...event, status: 'skipped', resource_type: 'Exec', resource_title: 'b', property: null, message: null },
      ],
    },
    logs: {
      data: [
        { ...log, level: 'notice', message: 'all well' },
        { ...log, level: 'err', message: 'disk full' },
      ],
    },
  });
  expect(text).toContain('status         failed [1m (no-op)\n');
  expect(text).toContain('started        2026-01-31T12:00:00.000Z, 12.5 s long\n');
  expect(text).toContain('  failure  File [1m[/etc/x [2J]/mode: no (/a.pp:3)\n  skipped  Exec[b] (/a.pp:3)\n');
  expect(text).toMatch(/warnings and errors\n {2}err {6}Puppet: disk full\n$/);
});

test.each([
  ['{"certname":"a","values":{}}', ['replace_facts', 5]],
  ['{"certname":"a","resources":[],"edges":[]}', ['replace_catalog', 9]],
  ['{"certname":"a","resources":[],"report_format":12}', ['store_report', 8]],
  ['{"certname":"a","inputs":[]}', ['replace_catalog_inputs', 1]],
  ['{"certname":"a"}', undefined],
  ['[]', undefined],
])('%s is the payload of %j', (text, expected) => {
  expect(commandOf(text)).toEqual(expected);
});

test('the filters of nodes are joined by and', () => {
  expect(nodesQuery({}, 0)[2]).toEqual(['extract', expect.any(Array)]);
  expect(nodesQuery({ failed: true, unreported: 60_000 }, 3_600_000)[2]).toEqual([
    'extract',
    expect.any(Array),
    [
      'and',
      ['=', 'latest_report_status', 'failed'],
      ['or', ['<', 'report_timestamp', '1970-01-01T00:59:00.000Z'], ['null?', 'report_timestamp', true]],
    ],
  ]);
});
